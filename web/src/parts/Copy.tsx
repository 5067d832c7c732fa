import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useText } from '../i18n';
import css from './parts.module.css';

/** Exact lines to paste, with a button that copies them. */
export function CopyLines({ text, label }: { text: string; label: string }) {
  const t = useText();
  return (
    <div className={css.copy}>
      {/* Wide lines scroll, so the block must be reachable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton value={text} timeout={1600}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('copy.done') : t('copy.do')}>
            <ActionIcon
              onClick={copy}
              aria-label={`${copied ? t('copy.done') : t('copy.do')}: ${label}`}
              color={copied ? 'moss' : 'gray'}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
