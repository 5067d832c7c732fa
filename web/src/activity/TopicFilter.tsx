import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paletteQuery } from '../api/queries';
import { useText } from '../i18n';
import { useHere } from '../shell/workspace';

interface Props {
  value: string | undefined;
  onChange: (topic: string | undefined) => void;
}

/** Chooses a topic by its words. */
export function TopicFilter({ value, onChange }: Props) {
  const { workspace } = useHere();
  const t = useText();
  const [typed, setTyped] = useState(value ?? '');
  const [asked] = useDebouncedValue(typed.trim(), 150);
  const wanted = asked === value ? '' : asked;
  const found = useQuery({
    ...paletteQuery(workspace.slug, wanted),
    placeholderData: keepPreviousData,
  });
  const hits = wanted ? (found.data?.results ?? []) : [];
  const slugs = [...new Set([...(value ? [value] : []), ...hits.map((hit) => hit.slug)])];
  return (
    <Select
      aria-label={t('activity.topic')}
      placeholder={t('activity.anyTopic')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('activity.anyTopic') }}
      // The server has chosen already; what is found need not hold what was typed.
      filter={({ options }) => options}
      data={slugs}
      nothingFoundMessage={wanted ? t('palette.empty') : undefined}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value ?? null}
      onChange={(slug) => {
        onChange(slug ?? undefined);
      }}
    />
  );
}
