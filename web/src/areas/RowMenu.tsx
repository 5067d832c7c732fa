import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useText } from '../i18n';

interface Props {
  /** What it is about. */
  name: string;
  onEdit: () => void;
  /** Absent where there is nothing to merge it with. */
  onMerge?: () => void;
  onDelete: () => void;
}

/** What can be done with an area or a tag. */
export function RowMenu({ name, onEdit, onMerge, onDelete }: Props) {
  const t = useText();
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        aria-label={t('areas.editOf', { name })}
        onClick={onEdit}
      >
        {t('areas.edit')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="subtle" color="gray" aria-label={t('areas.more', { name })}>
            <IconDots size={16} aria-hidden="true" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {onMerge && <Menu.Item onClick={onMerge}>{t('areas.merge')}</Menu.Item>}
          <Menu.Item color="rust" onClick={onDelete}>
            {t('areas.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
