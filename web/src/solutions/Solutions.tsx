import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerQuery, type Environment } from '../api/solutions';
import type { Topic } from '../api/types';
import { useText } from '../i18n';
import { Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import { AttemptDialog } from './AttemptDialog';
import { Attempts } from './Attempts';
import { filled, nameOf } from './environment';
import { EnvironmentFields } from './EnvironmentFields';
import { OneSolution } from './OneSolution';
import css from './solutions.module.css';

/** What the topic answers where the reader is, how that went for others, and what failed. */
export function Solutions({ topic }: { topic: Topic }) {
  const { workspace } = useHere();
  const t = useText();
  const [env, setEnv] = useState<Environment>({});
  const [asked] = useDebouncedValue(filled(env), 250);
  const [trying, setTrying] = useState(false);
  const query = useQuery({
    ...answerQuery(workspace.slug, topic.slug, asked),
    placeholderData: keepPreviousData,
  });
  const answer = query.data;
  const may = workspace.role !== 'viewer';
  const envs = topic.solutions.map((solution) => solution.env ?? {});
  const where = nameOf(asked);
  return (
    <div className={css.page}>
      <fieldset className={css.where}>
        <legend>{t('solutions.where')}</legend>
        <EnvironmentFields value={env} known={envs} onChange={setEnv} />
      </fieldset>
      {query.isPending && <RowsSkeleton rows={2} height={140} />}
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {answer && (
        <div aria-busy={query.isPlaceholderData}>
          <p className={css.standing} role="status">
            {answer.has_answer
              ? t.count('solutions.apply', answer.answers.length, {
                  where: where || t('solutions.any'),
                })
              : t('solutions.none', { where: where || t('solutions.any') })}
          </p>
          <ol className={css.list}>
            {answer.answers.map((judged) => {
              const solution = topic.solutions.find(({ id }) => id === judged.solution);
              return (
                solution && (
                  <OneSolution
                    key={judged.solution}
                    topic={topic.slug}
                    solution={solution}
                    judged={judged}
                    said={asked}
                  />
                )
              );
            })}
          </ol>
          <Attempts attempts={answer.failed_attempts ?? []} />
          {may && !answer.has_answer && (
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                setTrying(true);
              }}
            >
              {t('solutions.addAttempt')}
            </Button>
          )}
        </div>
      )}
      <AttemptDialog
        opened={trying}
        topic={topic.slug}
        from={asked}
        known={envs}
        onClose={() => {
          setTrying(false);
        }}
      />
    </div>
  );
}
