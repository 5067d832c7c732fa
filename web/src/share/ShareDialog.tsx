import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sharedQuery } from '../api/sharing';
import type { Topic } from '../api/types';
import { useText } from '../i18n';
import { Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import { ShareWithMembers } from './ShareWithMembers';
import { WebPage } from './WebPage';

interface Props {
  opened: boolean;
  topic: Topic;
  onClose: () => void;
}

/** Who reads a topic beyond those who find it here: the web, and members who are told. */
export function ShareDialog({ opened, topic, onClose }: Props) {
  const t = useText();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={t('share.title', { title: topic.title })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Sharing topic={topic} />
    </Modal>
  );
}

function Sharing({ topic }: { topic: Topic }) {
  const { workspace } = useHere();
  const shared = useQuery(sharedQuery(workspace.slug, topic.slug));
  if (shared.isPending) return <RowsSkeleton rows={3} height={84} />;
  if (shared.isError) return <Failure error={shared.error} retry={() => void shared.refetch()} />;
  return (
    <>
      <ShareWithMembers topic={topic} shared={shared.data} />
      <WebPage topic={topic} shared={shared.data} />
    </>
  );
}
