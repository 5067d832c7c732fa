import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../api/problem';
import { sessionQuery } from '../api/queries';
import { renameWorkspace } from '../api/settings';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { Section } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import css from './settings.module.css';

/** What people call the workspace; its slug stays. */
export function WorkspaceName() {
  const { workspace, decides } = useHere();
  const t = useText();
  const notify = useNotify();
  const client = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState(workspace.name);
  const wanted = name.trim();
  const rename = useSingleMutation({
    mutationFn: () => renameWorkspace(workspace.slug, wanted),
    async onSuccess() {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
      await router.invalidate();
      notify(t('settings.renamed'));
    },
  });
  const wrong = rename.error instanceof Problem ? rename.error.field('name') : undefined;
  return (
    <Section title={t('settings.name')}>
      {decides ? (
        <form
          className={css.name}
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate();
          }}
        >
          <TextInput
            aria-label={t('settings.name')}
            maxLength={120}
            autoComplete="off"
            value={name}
            error={wrong}
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          <Button
            type="submit"
            variant="default"
            loading={rename.isPending}
            disabled={wanted === '' || wanted === workspace.name}
          >
            {t('settings.rename')}
          </Button>
        </form>
      ) : (
        <p>{workspace.name}</p>
      )}
      {rename.error && !wrong && <Failure error={rename.error} />}
      <p className={css.slug}>
        {t('settings.slug')} <span className="mono">{workspace.slug}</span>
      </p>
    </Section>
  );
}
