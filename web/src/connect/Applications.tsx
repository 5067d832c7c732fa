import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import {
  applicationsQuery,
  deleteApplication,
  type Application,
  type Registered,
} from '../api/applications';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { SecretDialog } from '../parts/SecretDialog';
import { Row, Rows, Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { NewApplicationDialog } from './NewApplicationDialog';

/** OAuth clients that the workspace registered itself, for owners and admins. */
export function Applications() {
  const { workspace } = useHere();
  const t = useText();
  const list = useQuery(applicationsQuery(workspace.slug));
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<Registered | null>(null);
  const [deleting, setDeleting] = useState<Application | null>(null);
  const remove = useWrite(workspace.slug, (id: string) => deleteApplication(workspace.slug, id));
  return (
    <Section
      title={t('clients.title')}
      text={t('clients.text')}
      action={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => {
            setCreating(true);
          }}
        >
          {t('clients.new')}
        </Button>
      }
    >
      {list.isPending && <RowsSkeleton rows={1} height={62} />}
      {list.isError && !list.data && (
        <Failure error={list.error} retry={() => void list.refetch()} />
      )}
      {list.data && (
        <Rows none={list.data.results.length === 0 && t('clients.none')}>
          {list.data.results.map((application) => (
            <Row
              key={application.client_id}
              name={application.name}
              facts={<ApplicationFacts application={application} />}
            >
              <Button
                variant="subtle"
                color="gray"
                size="xs"
                aria-label={t('clients.deleteOf', { name: application.name })}
                onClick={() => {
                  setDeleting(application);
                }}
              >
                {t('clients.delete')}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <NewApplicationDialog
        opened={creating}
        onClose={() => {
          setCreating(false);
        }}
        onRegistered={(application) => {
          setCreating(false);
          setMade(application);
        }}
      />
      <SecretDialog
        title={t('clients.created', { name: made?.name ?? '' })}
        text={t(made?.client_secret ? 'clients.once' : 'clients.public')}
        values={
          made && [
            { label: t('clients.id'), value: made.client_id },
            ...(made.client_secret
              ? [{ label: t('clients.secret'), value: made.client_secret }]
              : []),
          ]
        }
        done={t(made?.client_secret ? 'keys.stored' : 'clients.done')}
        onClose={() => {
          setMade(null);
        }}
      />
      <ConfirmDialog
        opened={deleting !== null}
        title={t('clients.deleteOf', { name: deleting?.name ?? '' })}
        typed={deleting?.name}
        action={t('clients.delete')}
        pending={remove.isPending}
        error={remove.error}
        onClose={() => {
          setDeleting(null);
          remove.reset();
        }}
        onConfirm={() => {
          if (!deleting) return;
          remove.mutate(deleting.client_id, {
            onSuccess() {
              setDeleting(null);
            },
          });
        }}
      >
        {t('clients.deleteText')}
      </ConfirmDialog>
    </Section>
  );
}

function ApplicationFacts({ application }: { application: Application }) {
  const t = useText();
  return (
    <>
      <span className="mono">{application.client_id}</span>
      <span>{t.word('clients.auth', application.auth_method)}</span>
      <span className="mono">{application.redirect_uris.join(' ')}</span>
      <span className="mono">{application.scopes.join(' ')}</span>
      <span>
        {t('clients.by', { name: application.created_by })} <When at={application.created_at} />
      </span>
      <span>
        {application.last_used_at ? (
          <>
            {t('clients.used')} <When at={application.last_used_at} />
          </>
        ) : (
          t('clients.unused')
        )}
      </span>
    </>
  );
}
