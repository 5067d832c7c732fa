import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { allTagsQuery, deleteTag, renameTag } from '../api/curation';
import type { Tag } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { useNotify } from '../parts/notify';
import { Row, Rows, Section } from '../parts/Section';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import css from './areas.module.css';
import { MergeDialog } from './MergeDialog';
import { RowMenu } from './RowMenu';
import { TagDialog } from './TagDialog';

/** How many rows are shown before somebody asks for more. */
const step = 100;

/** The tags: they cut across areas, and a topic has many. */
export function Tags() {
  const { workspace } = useHere();
  const t = useText();
  const notify = useNotify();
  const list = useQuery(allTagsQuery(workspace.slug));
  const [wanted, setWanted] = useState('');
  const [shown, setShown] = useState(step);
  const [editing, setEditing] = useState<Tag | 'new' | null>(null);
  const [merging, setMerging] = useState<Tag | null>(null);
  const [ending, setEnding] = useState<Tag | null>(null);
  const merge = useWrite(workspace.slug, ({ from, into }: { from: string; into: string }) =>
    renameTag(workspace.slug, from, into),
  );
  const end = useWrite(workspace.slug, (name: string) => deleteTag(workspace.slug, name));
  const may = workspace.role !== 'viewer';
  const tags = list.data ?? [];
  const part = wanted.trim().toLowerCase();
  const found = tags.filter(({ name }) => name.includes(part));
  return (
    <Section
      title={t('areas.tab.tags')}
      text={t('areas.tagsText')}
      action={
        may && (
          <Button
            variant="default"
            onClick={() => {
              setEditing('new');
            }}
          >
            {t('areas.newTag')}
          </Button>
        )
      }
    >
      {list.isPending && <RowsSkeleton rows={6} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data && tags.length === 0 && (
        <Empty title={t('areas.noTags')}>{t('areas.noTagsText')}</Empty>
      )}
      {tags.length > 0 && (
        <>
          <div className={css.tools}>
            <TextInput
              type="search"
              aria-label={t('areas.findTag')}
              placeholder={t('areas.findTag')}
              leftSection={<IconSearch size={16} />}
              value={wanted}
              onChange={(event) => {
                setWanted(event.currentTarget.value);
                setShown(step);
              }}
            />
          </div>
          <Rows none={found.length === 0 && t('list.nothing')}>
            {found.slice(0, shown).map((tag) => (
              <Row
                key={tag.name}
                name={<span className="mono">#{tag.name}</span>}
                facts={
                  <>
                    <Link
                      to="/w/$ws/knowledge"
                      params={{ ws: workspace.slug }}
                      search={{ tags: [tag.name] }}
                    >
                      {t.count('list.count', tag.count)}
                    </Link>
                    {tag.description && <span>{tag.description}</span>}
                  </>
                }
              >
                {may && (
                  <RowMenu
                    name={tag.name}
                    onEdit={() => {
                      setEditing(tag);
                    }}
                    onMerge={
                      tags.length > 1
                        ? () => {
                            setMerging(tag);
                          }
                        : undefined
                    }
                    onDelete={() => {
                      setEnding(tag);
                    }}
                  />
                )}
              </Row>
            ))}
          </Rows>
          {found.length > shown && (
            <div className={css.more}>
              <Button
                variant="default"
                onClick={() => {
                  setShown(shown + step);
                }}
              >
                {t('list.more')}
              </Button>
            </div>
          )}
        </>
      )}
      <TagDialog
        tag={editing}
        names={tags.map(({ name }) => name)}
        onClose={() => {
          setEditing(null);
        }}
      />
      <MergeDialog
        from={merging}
        others={tags.filter((tag) => tag.name !== merging?.name)}
        pending={merge.isPending}
        error={merge.error}
        onClose={() => {
          setMerging(null);
          merge.reset();
        }}
        onMerge={(from, into) => {
          merge.mutate(
            { from, into },
            {
              onSuccess() {
                setMerging(null);
                notify(t('areas.merged', { from, into }));
              },
            },
          );
        }}
      />
      <ConfirmDialog
        opened={ending !== null}
        title={t('areas.deleteOf', { name: ending?.name ?? '' })}
        typed={ending?.name}
        action={t('areas.delete')}
        pending={end.isPending}
        error={end.error}
        onClose={() => {
          setEnding(null);
          end.reset();
        }}
        onConfirm={() => {
          if (!ending) return;
          end.mutate(ending.name, {
            onSuccess() {
              setEnding(null);
            },
          });
        }}
      >
        {t.count('areas.deleteTag', ending?.count ?? 0)}
      </ConfirmDialog>
    </Section>
  );
}
