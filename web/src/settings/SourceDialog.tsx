import { Button, Modal, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../api/problem';
import {
  connectSource,
  providers,
  type Connected,
  type NewSource,
  type Provider,
} from '../api/repositories';
import type { Source } from '../api/sources';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';

interface Props {
  /** What is changed, or a new one; nothing while it is closed. */
  source: Source | 'new' | null;
  onClose: () => void;
  onConnected: (answer: Connected) => void;
}

export function SourceDialog({ source, onClose, onConnected }: Props) {
  const t = useText();
  const known = source === 'new' || source === null ? undefined : source;
  return (
    <Modal
      opened={source !== null}
      onClose={onClose}
      title={known ? t('sources.editOf', { name: known.name }) : t('sources.connectTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <SourceForm known={known} onClose={onClose} onConnected={onConnected} />
    </Modal>
  );
}

interface FormProps {
  known: Source | undefined;
  onClose: () => void;
  onConnected: (answer: Connected) => void;
}

function SourceForm({ known, onClose, onConnected }: FormProps) {
  const { workspace } = useHere();
  const t = useText();
  const [remote, setRemote] = useState(known?.name ?? '');
  const [branch, setBranch] = useState(known?.default_branch ?? '');
  const [branches, setBranches] = useState<string[]>(known?.branches ?? []);
  const [provider, setProvider] = useState<Provider | ''>('');
  const connect = useWrite(workspace.slug, (body: NewSource) =>
    connectSource(workspace.slug, body),
  );
  const problem = connect.error instanceof Problem ? connect.error : undefined;
  const wrong = {
    remote: problem?.field('remote'),
    branch: problem?.field('default_branch'),
    branches: problem?.below('branches'),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        connect.mutate(
          {
            remote: remote.trim(),
            default_branch: branch.trim() || undefined,
            branches,
            provider: provider || undefined,
          },
          { onSuccess: onConnected },
        );
      }}
    >
      <Stack gap="md">
        {!known && (
          <TextInput
            data-autofocus
            required
            withAsterisk={false}
            label={t('sources.remote')}
            description={t('sources.remoteHelp')}
            placeholder="git@github.com:acme/shop.git"
            autoComplete="off"
            spellCheck={false}
            value={remote}
            error={wrong.remote}
            onChange={(event) => {
              setRemote(event.currentTarget.value);
            }}
          />
        )}
        <TextInput
          data-autofocus={known ? true : undefined}
          label={t('sources.branch')}
          placeholder="main"
          autoComplete="off"
          spellCheck={false}
          value={branch}
          error={wrong.branch}
          onChange={(event) => {
            setBranch(event.currentTarget.value);
          }}
        />
        <TagsInput
          label={t('sources.branches')}
          description={t('sources.branchesHelp')}
          placeholder={branches.length > 0 ? undefined : 'release/*'}
          maxTags={20}
          value={branches}
          error={wrong.branches}
          onChange={setBranches}
        />
        {!known && (
          <NativeSelect
            label={t('sources.provider')}
            data={[
              { value: '', label: t('sources.guess') },
              ...providers.map((value) => ({ value, label: t(`provider.${value}`) })),
            ]}
            value={provider}
            onChange={(event) => {
              setProvider(event.currentTarget.value as Provider | '');
            }}
          />
        )}
        {problem && !wrong.remote && !wrong.branch && !wrong.branches && (
          <Failure error={problem} />
        )}
        {connect.error && !problem && <Failure error={connect.error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={connect.isPending}>
          {known ? t('sources.save') : t('sources.connect')}
        </Button>
      </DialogFoot>
    </form>
  );
}
