import { Group, Radio, Textarea } from '@mantine/core';
import type { Conflict } from '../api/types';
import { pointer } from '../diff/fields';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { conflictKey, formOf, settled, shown, type Choice, type Side } from './conflict';
import css from './review.module.css';

const sides: readonly Side[] = ['current', 'proposed', 'own'];

interface Props {
  conflicts: readonly Conflict[];
  choices: Readonly<Record<string, Choice>>;
  onChoose: (key: string, choice: Choice) => void;
}

/** Both sides of every place where the edit meets newer Knowledge, and a choice for each. */
export function Conflicts({ conflicts, choices, onChoose }: Props) {
  const t = useText();
  return (
    <section className={css.conflicts} aria-label={t('review.conflicts')}>
      <Notice title={t('review.conflicts')}>{t('review.conflictsText')}</Notice>
      {conflicts.map((conflict) => {
        const key = conflictKey(conflict);
        return (
          <OneConflict
            key={key}
            conflict={conflict}
            choice={choices[key]}
            onChoose={(choice) => {
              onChoose(key, choice);
            }}
          />
        );
      })}
    </section>
  );
}

function OneConflict({
  conflict,
  choice,
  onChoose,
}: {
  conflict: Conflict;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}) {
  const t = useText();
  const form = formOf(conflict);
  const [field = '', ...rest] = pointer(conflict.path);
  const name = [t.word('field', field), ...rest].join(' › ');
  const current = shown(conflict.current, form);
  const proposed = shown(conflict.proposed, form);
  return (
    <div className={css.conflict}>
      <h3>{name}</h3>
      <div className={css.sides}>
        <div>
          <h4>{t('review.side.current')}</h4>
          <pre>{current || t('none')}</pre>
        </div>
        <div>
          <h4>{t('review.side.proposed')}</h4>
          <pre>{proposed || t('none')}</pre>
        </div>
      </div>
      <Radio.Group
        aria-label={t('conflict.keep', { field: name })}
        value={choice?.side ?? null}
        onChange={(side) => {
          onChoose({ side: side as Side, written: choice?.written ?? proposed });
        }}
      >
        <Group gap="8px 20px">
          {sides.map((side) => (
            <Radio key={side} value={side} label={t(`review.keep.${side}`)} />
          ))}
        </Group>
      </Radio.Group>
      {choice?.side === 'own' && (
        <Textarea
          autosize
          minRows={3}
          maxRows={16}
          mt={8}
          aria-label={t('review.own', { field: name })}
          description={form === 'lines' ? t('review.ownLines') : undefined}
          error={settled(conflict, choice) ? undefined : t('review.ownJson')}
          classNames={{ input: 'mono' }}
          value={choice.written}
          onChange={(event) => {
            onChoose({ side: 'own', written: event.currentTarget.value });
          }}
        />
      )}
    </div>
  );
}
