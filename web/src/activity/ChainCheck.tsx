import { Button, Modal } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { verifyChain } from '../api/activity';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { CopyLines } from '../parts/Copy';
import { Notice } from '../parts/Notice';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';

/** Walks the log from its beginning: was an entry changed, removed or moved? */
export function ChainCheck() {
  const { workspace } = useHere();
  const t = useText();
  const [opened, setOpened] = useState(false);
  const check = useSingleMutation({ mutationFn: () => verifyChain(workspace.slug) });
  const close = (): void => {
    setOpened(false);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={16} />}
        loading={check.isPending}
        onClick={() => {
          check.mutate(undefined, {
            onSettled() {
              setOpened(true);
            },
          });
        }}
      >
        {t('activity.check')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('activity.check')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {check.error && <Failure error={check.error} />}
        {check.data && (
          <>
            <Notice
              tone="moss"
              icon={<IconShieldCheck size={16} />}
              title={t.count('activity.whole', check.data.entries)}
            >
              {t('activity.wholeText')}
            </Notice>
            <p>{t('activity.headText')}</p>
            <CopyLines text={check.data.head} label={t('activity.head')} />
          </>
        )}
        <DialogFoot>
          <Button onClick={close}>{t('close')}</Button>
        </DialogFoot>
      </Modal>
    </>
  );
}
