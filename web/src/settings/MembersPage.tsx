import { useText } from '../i18n';
import { SectionPage } from '../parts/Section';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { Invitations } from './Invitations';
import { Members } from './Members';

/** Settings: who is in the workspace, and who was asked to join. */
export default function MembersPage() {
  const { workspace, decides } = useHere();
  const t = useText();
  useTitle(t('people.title'));
  return (
    <SectionPage title={t('people.title')} lead={t('people.text', { workspace: workspace.name })}>
      <Members />
      {decides && <Invitations />}
    </SectionPage>
  );
}
