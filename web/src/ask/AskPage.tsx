import { Button, MultiSelect, NativeSelect, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react';
import { ask, type Question } from '../api/ask';
import { allAreasQuery } from '../api/curation';
import { useSingleMutation } from '../api/singleMutation';
import type { Trust } from '../api/types';
import { useText } from '../i18n';
import { SectionPage } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { Answer } from './Answer';
import css from './ask.module.css';

const route = getRouteApi('/w/$ws/ask');

/** A question, and what is written here about it. */
export default function AskPage() {
  const { workspace } = useHere();
  const t = useText();
  useTitle(t('nav.ask'));
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const areas = useQuery(allAreasQuery(workspace.slug));
  const [query, setQuery] = useState(q);
  const [trust, setTrust] = useState<Trust>('reviewed');
  const [within, setWithin] = useState<string[]>([]);
  const asking = useSingleMutation({
    mutationFn: (question: Question) => ask(workspace.slug, question),
  });
  const submit = (text: string): void => {
    if (text.trim() === '') return;
    asking.mutate({ query: text.trim(), min_trust: trust, areas: within });
    void navigate({ search: { q: text.trim() }, replace: true });
  };
  // A question that the address brings is asked at once.
  const first = useEffectEvent(() => {
    submit(q);
  });
  useEffect(() => {
    first();
  }, []);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit(query);
  };
  return (
    <SectionPage title={t('nav.ask')} lead={t('ask.text')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit(query);
        }}
      >
        <Textarea
          aria-label={t('ask.question')}
          placeholder={t('ask.example')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={4000}
          value={query}
          onKeyDown={onKey}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
          }}
        />
        <div className={css.tools}>
          <NativeSelect
            aria-label={t('ask.from')}
            data={(['reviewed', 'proposed', 'draft'] as const).map((value) => ({
              value,
              label: t(`ask.from.${value}`),
            }))}
            value={trust}
            onChange={(event) => {
              setTrust(event.currentTarget.value as Trust);
            }}
          />
          <MultiSelect
            aria-label={t('facts.area')}
            placeholder={within.length > 0 ? undefined : t('list.anyArea')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('list.anyArea') }}
            data={(areas.data ?? []).map(({ name }) => name)}
            value={within}
            onChange={setWithin}
          />
          <Button type="submit" loading={asking.isPending} disabled={query.trim() === ''}>
            {t('ask.do')}
          </Button>
        </div>
      </form>
      <div aria-live="polite" aria-busy={asking.isPending}>
        {asking.isPending && <RowsSkeleton rows={3} height={72} />}
        {asking.error && (
          <Failure
            error={asking.error}
            retry={() => {
              submit(query);
            }}
          />
        )}
        {asking.data && !asking.isPending && (
          <Answer question={asking.variables.query} asked={asking.data} />
        )}
      </div>
    </SectionPage>
  );
}
