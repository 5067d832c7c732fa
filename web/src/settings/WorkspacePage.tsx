import { useText } from '../i18n';
import { SectionPage } from '../parts/Section';
import { useTitle } from '../parts/title';
import { Policies } from './Policies';
import { PublicKnowledge } from './PublicKnowledge';
import { WorkspaceName } from './WorkspaceName';

/** Settings: what the workspace is called, and by which rules people decide in it. */
export default function WorkspacePage() {
  const t = useText();
  useTitle(t('settings.workspace'));
  return (
    <SectionPage title={t('settings.workspace')} lead={t('settings.workspaceText')}>
      <WorkspaceName />
      <Policies />
      <PublicKnowledge />
    </SectionPage>
  );
}
