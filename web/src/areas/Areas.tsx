import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { allAreasQuery, deleteArea, mergeAreas } from '../api/curation';
import type { Area } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { useNotify } from '../parts/notify';
import { Row, Rows, Section } from '../parts/Section';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import { AreaDialog } from './AreaDialog';
import { MergeDialog } from './MergeDialog';
import { RowMenu } from './RowMenu';

/** The areas: a topic has at most one of them as its home. */
export function Areas() {
  const { workspace } = useHere();
  const t = useText();
  const notify = useNotify();
  const list = useQuery(allAreasQuery(workspace.slug));
  const [editing, setEditing] = useState<Area | 'new' | null>(null);
  const [merging, setMerging] = useState<Area | null>(null);
  const [ending, setEnding] = useState<Area | null>(null);
  const merge = useWrite(workspace.slug, ({ from, into }: { from: string; into: string }) =>
    mergeAreas(workspace.slug, from, into),
  );
  const end = useWrite(workspace.slug, (name: string) => deleteArea(workspace.slug, name));
  const may = workspace.role !== 'viewer';
  const areas = list.data ?? [];
  return (
    <Section
      title={t('areas.tab.areas')}
      text={t('areas.areasText')}
      action={
        may && (
          <Button
            variant="default"
            onClick={() => {
              setEditing('new');
            }}
          >
            {t('areas.new')}
          </Button>
        )
      }
    >
      {list.isPending && <RowsSkeleton rows={4} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data && areas.length === 0 && (
        <Empty title={t('areas.none')}>{t('areas.noneText')}</Empty>
      )}
      {areas.length > 0 && (
        <Rows>
          {areas.map((area) => (
            <Row
              key={area.name}
              name={area.name}
              facts={
                <>
                  <Link
                    to="/w/$ws/knowledge"
                    params={{ ws: workspace.slug }}
                    search={{ area: area.name }}
                  >
                    {t.count('list.count', area.count)}
                  </Link>
                  {area.description && <span>{area.description}</span>}
                  {area.reviewers.length > 0 && (
                    <span>{t('areas.asks', { names: area.reviewers.join(', ') })}</span>
                  )}
                </>
              }
            >
              {may && (
                <RowMenu
                  name={area.name}
                  onEdit={() => {
                    setEditing(area);
                  }}
                  onMerge={
                    areas.length > 1
                      ? () => {
                          setMerging(area);
                        }
                      : undefined
                  }
                  onDelete={() => {
                    setEnding(area);
                  }}
                />
              )}
            </Row>
          ))}
        </Rows>
      )}
      <AreaDialog
        area={editing}
        onClose={() => {
          setEditing(null);
        }}
      />
      <MergeDialog
        from={merging}
        others={areas.filter((area) => area.name !== merging?.name)}
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
        {t.count('areas.deleteArea', ending?.count ?? 0)}
      </ConfirmDialog>
    </Section>
  );
}
