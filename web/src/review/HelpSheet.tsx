import { Kbd, Modal } from '@mantine/core';
import { useText, type MessageKey } from '../i18n';
import css from './review.module.css';

const keys: readonly (readonly [string[], MessageKey])[] = [
  [['j'], 'help.next'],
  [['k'], 'help.previous'],
  [['a'], 'help.approve'],
  [['r'], 'help.changes'],
  [['x'], 'help.reject'],
  [['e'], 'help.edit'],
  [['c'], 'help.comment'],
  [['v'], 'help.view'],
  [['s'], 'help.pick'],
  [['S'], 'help.pickAll'],
  [['Esc'], 'help.pickNone'],
  [['1', '2', '3'], 'help.lanes'],
  [['Ctrl', 'K'], 'help.palette'],
  [['?'], 'help.help'],
];

export function HelpSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useText();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('help.title')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <dl className={css.help}>
        {keys.map(([names, key]) => (
          <div key={key}>
            <dt>
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd>{t(key)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
