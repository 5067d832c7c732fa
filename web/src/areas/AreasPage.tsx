import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { allAreasQuery, allTagsQuery } from '../api/curation';
import { careQuery } from '../api/health';
import { useText } from '../i18n';
import { SectionPage } from '../parts/Section';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { Areas } from './Areas';
import { curationTabs } from './tabs';
import { Tags } from './Tags';
import { Unfiled } from './Unfiled';

const route = getRouteApi('/w/$ws/areas');

/** Where topics belong: areas, tags, and what has no area yet. */
export default function AreasPage() {
  const { workspace } = useHere();
  const t = useText();
  useTitle(t('nav.areas'));
  const { tab = 'areas' } = route.useSearch();
  const navigate = route.useNavigate();
  const areas = useQuery(allAreasQuery(workspace.slug));
  const tags = useQuery(allTagsQuery(workspace.slug));
  const care = useQuery(careQuery(workspace.slug));
  const counts = {
    areas: areas.data?.length,
    tags: tags.data?.length,
    unfiled: care.data?.summary.unassigned,
  };
  return (
    <SectionPage title={t('nav.areas')} lead={t('areas.text')}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const next = curationTabs.find((one) => one === value && one !== 'areas');
          void navigate({ search: { tab: next }, replace: true });
        }}
      >
        <Tabs.List mb={20}>
          {curationTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`areas.tab.${name}`)}{' '}
              {counts[name] !== undefined && <span className="soft num">{counts[name]}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="areas">
          <Areas />
        </Tabs.Panel>
        <Tabs.Panel value="tags">
          <Tags />
        </Tabs.Panel>
        <Tabs.Panel value="unfiled">
          <Unfiled />
        </Tabs.Panel>
      </Tabs>
    </SectionPage>
  );
}
