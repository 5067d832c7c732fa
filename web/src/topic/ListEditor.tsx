import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useText } from '../i18n';
import css from './topic.module.css';

interface Props {
  label: string;
  items: readonly string[];
  mono?: boolean;
  onChange: (items: string[]) => void;
}

/** A list of short texts, one field each. Empty ones are dropped when saved. */
export function ListEditor({ label, items, mono = false, onChange }: Props) {
  const t = useText();
  return (
    <fieldset className={css.listEditor}>
      <legend>{label}</legend>
      {items.map((item, i) => (
        <div key={i} className={css.listItem}>
          <Textarea
            autosize
            minRows={1}
            maxRows={8}
            maxLength={2000}
            aria-label={t('edit.item', { field: label, n: i + 1 })}
            classNames={mono ? { input: 'mono' } : undefined}
            value={item}
            onChange={(event) => {
              onChange(items.with(i, event.currentTarget.value));
            }}
          />
          <ActionIcon
            size="lg"
            aria-label={t('edit.remove', { field: label, n: i + 1 })}
            onClick={() => {
              onChange(items.toSpliced(i, 1));
            }}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={<IconPlus size={14} />}
        onClick={() => {
          onChange([...items, '']);
        }}
      >
        {t('edit.add')}
      </Button>
    </fieldset>
  );
}
