import { Button, Group } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useState } from 'react';
import {
  clearSolution,
  report,
  type Environment,
  type Judged,
  type Report,
  type Solution,
} from '../api/solutions';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { CopyLines } from '../parts/Copy';
import { Markdown } from '../parts/Markdown';
import { Notice } from '../parts/Notice';
import { useNotify } from '../parts/notify';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import { nameOf, reportedFrom } from './environment';
import { StateMark } from './StateMark';
import { WhyDialog } from './WhyDialog';
import css from './solutions.module.css';

interface Props {
  /** The slug of its topic. */
  topic: string;
  /** As the text has it, with the steps that a reader in a failing environment is not given. */
  solution: Solution;
  judged: Judged;
  /** Where the reader says to be. */
  said: Environment;
}

/** One answer: where it applies, how it went for others, its steps, and a place to say how it went. */
export function OneSolution({ topic, solution, judged, said }: Props) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const notify = useNotify();
  const [asking, setAsking] = useState<'failed' | 'clear' | null>(null);
  const [shown, setShown] = useState(false);
  const name = nameOf(solution.env) || t('solutions.any');
  const env = reportedFrom(said, solution.env);
  const write = useWrite(ws, (run: () => Promise<unknown>) => run());
  const mine = (outcome: Report['outcome'], more: Partial<Report> = {}) =>
    report(ws, topic, { solution: solution.id, revision: judged.revision, outcome, env, ...more });
  const tell = (outcome: Report['outcome'], reason?: string): void => {
    write.mutate(() => mine(outcome, { reason }), {
      onSuccess() {
        setAsking(null);
        notify(
          <Group justify="space-between" wrap="nowrap">
            <span>{t('solutions.told', { where: nameOf(env) || t('solutions.any') })}</span>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                write.mutate(() => mine(outcome, { retract: true }));
              }}
            >
              {t('solutions.retract')}
            </Button>
          </Group>,
          { autoClose: 15_000 },
        );
      },
    });
  };
  const open = shown || judged.withheld === undefined;
  const disputed = judged.failed > 0 && judged.state !== 'cleared';
  return (
    <li className={css.solution}>
      <div className={css.head}>
        <h2>{name}</h2>
        <StateMark state={judged.state} />
        <span className={`${css.counts ?? ''} num`}>
          {t('solutions.counts', { solved: judged.solved, failed: judged.failed })}
        </span>
      </div>
      {solution.env?.labels && solution.env.labels.length > 0 && (
        <p className="soft">{solution.env.labels.join(', ')}</p>
      )}
      {judged.cleared_because && (
        <Notice tone="moss" title={t('solutions.clearedBecause')}>
          {judged.cleared_because}
        </Notice>
      )}
      {!open && (
        <Notice title={t.count('solutions.withheld', judged.failed)}>
          <Button
            variant="default"
            size="xs"
            mt={6}
            onClick={() => {
              setShown(true);
            }}
          >
            {t('solutions.show')}
          </Button>
        </Notice>
      )}
      {open && (
        <>
          <ol className={css.steps}>
            {solution.fix.map((step, i) => (
              <li key={i}>
                <Markdown text={step} workspace={ws} />
              </li>
            ))}
          </ol>
          {solution.verify && (
            <>
              <h3>{t('solutions.verify')}</h3>
              <CopyLines text={solution.verify} label={t('solutions.verify')} />
            </>
          )}
        </>
      )}
      {solution.boundaries && solution.boundaries.length > 0 && (
        <>
          <h3>{t('solutions.boundaries')}</h3>
          <ul className={css.boundaries}>
            {solution.boundaries.map((boundary, i) => (
              <li key={i}>{boundary}</li>
            ))}
          </ul>
        </>
      )}
      {workspace.role !== 'viewer' && (
        <Group gap={8} mt={12}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconThumbUp size={14} />}
            disabled={write.isPending}
            aria-label={t('solutions.solvedOf', { name })}
            onClick={() => {
              tell('solved');
            }}
          >
            {t('solutions.solved')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconThumbDown size={14} />}
            disabled={write.isPending}
            aria-label={t('solutions.failedOf', { name })}
            onClick={() => {
              write.reset();
              setAsking('failed');
            }}
          >
            {t('solutions.failed')}
          </Button>
          {workspace.role === 'owner' && disputed && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              aria-label={t('solutions.clearOf', { name })}
              onClick={() => {
                write.reset();
                setAsking('clear');
              }}
            >
              {t('solutions.clear')}
            </Button>
          )}
        </Group>
      )}
      {write.error && asking === null && <Failure error={write.error} />}
      <WhyDialog
        kind={asking}
        name={name}
        where={nameOf(env) || t('solutions.any')}
        pending={write.isPending}
        error={write.error}
        onClose={() => {
          setAsking(null);
          write.reset();
        }}
        onSubmit={(reason) => {
          if (asking === 'failed') {
            tell('failed', reason);
            return;
          }
          write.mutate(() => clearSolution(ws, topic, solution.id, reason), {
            onSuccess() {
              setAsking(null);
              notify(t('solutions.cleared', { name }));
            },
          });
        }}
      />
    </li>
  );
}
