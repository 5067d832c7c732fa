import { useText } from '../i18n';
import { Section, SectionPage } from '../parts/Section';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { DeleteWorkspace } from './DeleteWorkspace';
import { Export } from './Export';

/** Settings: who answers questions here, taking everything along, and the end of the workspace. */
export default function DataPage() {
  const { workspace } = useHere();
  const t = useText();
  useTitle(t('settings.data'));
  return (
    <SectionPage title={t('settings.data')} lead={t('settings.dataText')}>
      <Section title={t('settings.ask')} text={t('settings.askText')} />
      <Export />
      {workspace.role === 'owner' && <DeleteWorkspace />}
    </SectionPage>
  );
}
