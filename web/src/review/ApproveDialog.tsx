import { Button, Group, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { hasCode } from '../api/problem';
import type { ContentWarning, TopicText } from '../api/types';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { ExactText, Warnings } from '../parts/TopicFields';
import css from './review.module.css';

interface Props {
  opened: boolean;
  topic: TopicText;
  edit: boolean;
  /** The text holds values that the reviewer chose where the edit met newer Knowledge. */
  resolved?: boolean;
  warnings: readonly ContentWarning[];
  pending: boolean;
  error: Error | null;
  onApprove: () => void;
  onClose: () => void;
}

/** The last look: the exact text, then one key. */
export function ApproveDialog(props: Props) {
  const {
    opened,
    topic,
    edit,
    resolved = false,
    warnings,
    pending,
    error,
    onApprove,
    onClose,
  } = props;
  const t = useText();
  const phone = useMediaQuery('(max-width: 767px)');
  const moved = hasCode(error, 'VERSION_CONFLICT');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={760}
      fullScreen={phone}
      title={t(edit ? 'approve.titleEdit' : 'approve.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ body: css.sheet }}
    >
      <div className={css.sheetText}>
        <p className="soft">{t(resolved ? 'approve.textResolved' : 'approve.text')}</p>
        <Warnings warnings={warnings} />
        <ExactText topic={topic} />
      </div>
      <div className={css.sheetFoot}>
        {error && !moved && <Failure error={error} />}
        {moved && (
          <p role="alert" className={css.moved}>
            {t('approve.moved')}
          </p>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button data-autofocus loading={pending} disabled={moved} onClick={onApprove}>
            {t(edit ? 'approve.doEdit' : 'approve.do')}
          </Button>
        </Group>
      </div>
    </Modal>
  );
}
