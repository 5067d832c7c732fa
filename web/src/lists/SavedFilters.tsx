import { Button, Group, Popover, TextInput } from '@mantine/core';
import { IconBookmark, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import type { ListSearch } from '../router';
import { filters, same, useSaved, whole } from './saved';

interface Props {
  workspace: string;
  kind: string;
  filter: ListSearch;
  onFilter: (filter: ListSearch) => void;
}

/** Filters that were saved under a name, to come back to; and a way to save the present one. */
export function SavedFilters({ workspace, kind, filter, onFilter }: Props) {
  const t = useText();
  const [saved, setSaved] = useSaved(workspace, kind);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const current = saved.find((one) => same(one.filter, filter));
  const save = (): void => {
    const others = saved.filter((one) => one.name !== name.trim());
    setSaved([...others, { name: name.trim(), filter: whole(filter) }]);
    setNaming(false);
    setName('');
  };
  if (saved.length === 0 && !filters(filter)) return null;
  return (
    <Group gap={6} mt={10} role="group" aria-label={t('list.saved')}>
      {saved.map((one) => (
        <Button.Group key={one.name}>
          <Button
            size="xs"
            variant={one === current ? 'light' : 'default'}
            aria-pressed={one === current}
            onClick={() => {
              onFilter(whole(one === current ? {} : one.filter));
            }}
          >
            {one.name}
          </Button>
          <Button
            size="xs"
            px={7}
            variant={one === current ? 'light' : 'default'}
            aria-label={t('list.forget', { name: one.name })}
            onClick={() => {
              setSaved(saved.filter((other) => other !== one));
            }}
          >
            <IconX size={13} aria-hidden="true" />
          </Button>
        </Button.Group>
      ))}
      {filters(filter) && !current && (
        <Popover opened={naming} onChange={setNaming} trapFocus position="bottom-start" withRoles>
          <Popover.Target>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconBookmark size={14} aria-hidden="true" />}
              onClick={() => {
                setNaming(!naming);
              }}
            >
              {t('list.save')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                save();
              }}
            >
              <TextInput
                data-autofocus
                label={t('list.saveName')}
                maxLength={40}
                value={name}
                onChange={(event) => {
                  setName(event.currentTarget.value);
                }}
              />
              <DialogFoot>
                <Button type="submit" size="xs" disabled={name.trim() === ''}>
                  {t('list.saveDo')}
                </Button>
              </DialogFoot>
            </form>
          </Popover.Dropdown>
        </Popover>
      )}
    </Group>
  );
}
