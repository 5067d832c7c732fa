import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../api/queries';
import { deleteWorkspace } from '../api/settings';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { Section } from '../parts/Section';
import { useHere } from '../shell/workspace';

/** The end of the workspace, for its owners. */
export function DeleteWorkspace() {
  const { workspace } = useHere();
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const end = useSingleMutation({
    mutationFn: () => deleteWorkspace(workspace.slug, workspace.slug),
    async onSuccess() {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
      await navigate({ to: '/' });
      client.removeQueries({ queryKey: [workspace.slug] });
    },
  });
  return (
    <Section title={t('settings.delete')} text={t('settings.deleteText')}>
      <Button
        variant="default"
        onClick={() => {
          setAsking(true);
        }}
      >
        {t('settings.deleteDo')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('settings.deleteOf', { name: workspace.name })}
        typed={workspace.slug}
        action={t('settings.deleteDo')}
        pending={end.isPending}
        error={end.error}
        onClose={() => {
          setAsking(false);
          end.reset();
        }}
        onConfirm={() => {
          end.mutate(undefined);
        }}
      >
        {t('settings.deleteWarning')}
      </ConfirmDialog>
    </Section>
  );
}
