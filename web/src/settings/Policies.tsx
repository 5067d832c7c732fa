import { Button, Group, NativeSelect, Radio, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  approvals,
  changeSettings,
  settingsQuery,
  type Approval,
  type SettingsChange,
} from '../api/settings';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { useNotify } from '../parts/notify';
import { Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import css from './settings.module.css';

/** After how many days a draft that nobody changes may be archived; 0 is never. */
const lifetimes = [0, 30, 60, 90, 180, 365];

/** By which rules a note becomes Knowledge here. A change holds at once and can be undone for a moment. */
export function Policies() {
  const { workspace, decides } = useHere();
  const t = useText();
  const notify = useNotify();
  const settings = useQuery(settingsQuery(workspace.slug));
  const change = useWrite(workspace.slug, (body: SettingsChange) =>
    changeSettings(workspace.slug, body),
  );
  const set = (body: SettingsChange, before: SettingsChange): void => {
    change.mutate(body, {
      onSuccess() {
        notify(
          <Group justify="space-between" wrap="nowrap">
            {t('settings.saved')}
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                change.mutate(before);
              }}
            >
              {t('people.undo')}
            </Button>
          </Group>,
          { autoClose: 15_000 },
        );
      },
    });
  };
  const now = settings.data;
  return (
    <Section title={t('settings.policies')} text={t('settings.policiesText')}>
      {settings.isPending && <RowsSkeleton rows={4} height={58} />}
      {settings.isError && <Failure error={settings.error} retry={() => void settings.refetch()} />}
      {change.error && <Failure error={change.error} />}
      {now && (
        <>
          {!decides && <p className="soft">{t('settings.forAdmins')}</p>}
          <div className={css.field}>
            <Radio.Group
              label={t('settings.approval')}
              description={t('settings.approvalText')}
              value={now.agent_approval}
              onChange={(value) => {
                set({ agent_approval: value as Approval }, { agent_approval: now.agent_approval });
              }}
            >
              <Stack gap={8} mt={10}>
                {approvals.map((value) => (
                  <Radio
                    key={value}
                    value={value}
                    disabled={!decides || change.isPending}
                    label={t(`settings.approval.${value}`)}
                    description={t(`settings.approval.${value}.text`)}
                  />
                ))}
              </Stack>
            </Radio.Group>
            {now.agent_approval === 'direct' && <Notice title={t('settings.directWarning')} />}
          </div>
          <div className={css.field}>
            <Switch
              label={t('settings.fourEyes')}
              description={t('settings.fourEyesText')}
              disabled={!decides || change.isPending}
              checked={now.four_eyes}
              onChange={(event) => {
                set({ four_eyes: event.currentTarget.checked }, { four_eyes: now.four_eyes });
              }}
            />
          </div>
          <div className={css.field}>
            <NativeSelect
              label={t('settings.lifetime')}
              description={t('settings.lifetimeText')}
              disabled={!decides || change.isPending}
              data={[...new Set([...lifetimes, now.note_lifetime_days])]
                .sort((a, b) => a - b)
                .map((days) => ({
                  value: String(days),
                  label: days === 0 ? t('settings.never') : t.count('settings.after', days),
                }))}
              value={String(now.note_lifetime_days)}
              onChange={(event) => {
                set(
                  { note_lifetime_days: Number(event.currentTarget.value) },
                  { note_lifetime_days: now.note_lifetime_days },
                );
              }}
            />
          </div>
          <p className={css.slug}>{t('settings.session')}</p>
        </>
      )}
    </Section>
  );
}
