import { Tabs } from '@mantine/core';
import { useText } from '../i18n';
import { CopyLines } from '../parts/Copy';
import { SectionPage } from '../parts/Section';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { Applications } from './Applications';
import { clients } from './clients';
import { Connections } from './Connections';
import { FirstCall } from './FirstCall';
import { Keys } from './Keys';
import css from './connect.module.css';

export default function ConnectPage() {
  const { workspace, decides } = useHere();
  const t = useText();
  useTitle(t('nav.connect'));
  const all = clients(window.location.origin, workspace.slug);
  return (
    <SectionPage title={t('nav.connect')} lead={t('connect.text')}>
      <Tabs
        defaultValue={all[0]?.id}
        orientation="vertical"
        className={css.tabs}
        classNames={{ tab: css.tab, tabLabel: css.tabLabel }}
        variant="pills"
      >
        <Tabs.List className={css.list} aria-label={t('connect.clients')}>
          {all.map((client) => (
            <Tabs.Tab key={client.id} value={client.id}>
              {client.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {all.map((client) => (
          <Tabs.Panel key={client.id} value={client.id} className={css.panel}>
            <h2>{client.name}</h2>
            <p className="soft">{t.word('connect.how', client.id)}</p>
            {client.file && (
              <p className={css.file}>
                {t('connect.file')} <span className="mono">{client.file}</span>
              </p>
            )}
            <CopyLines text={client.lines} label={client.name} />
            <p className={css.after}>
              {t(client.id === 'stdio' ? 'connect.afterStdio' : 'connect.after')}
            </p>
          </Tabs.Panel>
        ))}
      </Tabs>
      <FirstCall />
      <Connections />
      <Keys />
      {decides && <Applications />}
    </SectionPage>
  );
}
