import {
  Button,
  SegmentedControl,
  Select,
  Skeleton,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { IconInfoCircle } from '@tabler/icons-react';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { hasCode, Problem } from '../api/problem';
import { areasQuery, tagsQuery, topicQuery } from '../api/queries';
import type { Topic, TopicUpdate } from '../api/types';
import { updateTopic, useWrite } from '../api/writes';
import { listFields } from '../diff/fields';
import { mergeText, type Merge } from '../diff/merge';
import { useText } from '../i18n';
import { Markdown } from '../parts/Markdown';
import { Notice } from '../parts/Notice';
import { useNotify } from '../parts/notify';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import { ConflictDialog } from './ConflictDialog';
import { draftOf, isEmptyUpdate, updateOf, type Draft } from './draft';
import { ListEditor } from './ListEditor';
import css from './topic.module.css';

const CodeEditor = lazy(() => import('./CodeEditor'));

interface Props {
  topic: Topic;
  onLeave: () => void;
}

interface Conflict {
  theirs: Topic;
  merge: Merge;
}

export default function TopicEditor({ topic, onLeave }: Props) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const notify = useNotify();
  const client = useQueryClient();
  // The topic as it was when the edit began, whatever is read meanwhile.
  const [base, setBase] = useState(topic);
  const [draft, setDraft] = useState(() => draftOf(topic));
  const [editorText, setEditorText] = useState(topic.content);
  const [summary, setSummary] = useState('');
  const [saved, setSaved] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [view, setView] = useState<'write' | 'both' | 'preview'>('both');
  const preview = useDeferredValue(draft.content);
  const areas = useQuery(areasQuery(ws));
  const tags = useQuery(tagsQuery(ws));
  const save = useWrite(ws, (update: TopicUpdate) => updateTopic(ws, topic.slug, update));
  const update = updateOf(draftOf(base), draft, base.revision, summary);
  const dirty = !isEmptyUpdate(update);
  const suggests = topic.trust === 'reviewed';

  useBlocker({
    shouldBlockFn: () => dirty && !saved && !window.confirm(t('edit.leave')),
    enableBeforeUnload: dirty && !saved,
  });

  const set = (change: Partial<Draft>): void => {
    setDraft((now) => ({ ...now, ...change }));
  };

  const submit = (next: TopicUpdate): void => {
    save.mutate(next, {
      onSuccess(result) {
        setSaved(true);
        const outside = (result.anchor_validation ?? []).filter((a) => a.result !== 'ok');
        notify(
          [
            t(result.applied === 'suggested_edit' ? 'edit.suggested' : 'edit.saved'),
            ...outside.map((a) =>
              t('edit.anchor', { anchor: a.anchor, verdict: t.word('anchor', a.result) }),
            ),
          ].join(' '),
        );
        // After the blocker has seen that nothing is lost.
        setTimeout(onLeave);
      },
      onError(error) {
        if (hasCode(error, 'STALE_BASE')) void openConflict();
      },
    });
  };

  const openConflict = async (): Promise<void> => {
    const theirs = await client.fetchQuery({ ...topicQuery(ws, topic.slug), staleTime: 0 });
    setConflict({ theirs, merge: mergeText(base, draft, theirs) });
  };

  const problem = save.error instanceof Problem ? save.error : null;
  const stale = problem?.code === 'STALE_BASE';
  return (
    <form
      className={css.editor}
      onSubmit={(event) => {
        event.preventDefault();
        if (dirty) submit(update);
      }}
    >
      <header className={css.editorHead}>
        <h1>{t(suggests ? 'edit.titleSuggest' : 'edit.title')}</h1>
        <div className={css.editorActions}>
          <Button variant="default" onClick={onLeave}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={!dirty} loading={save.isPending}>
            {t(suggests ? 'edit.suggest' : 'edit.save')}
          </Button>
        </div>
      </header>
      {suggests && (
        <Notice tone="moss" icon={<IconInfoCircle size={16} />} title={t('edit.suggestText')} />
      )}
      {save.error && !stale && <Failure error={save.error} />}
      <TextInput
        label={t('field.title')}
        required
        maxLength={120}
        value={draft.title}
        error={problem?.field('title')}
        onChange={(event) => {
          set({ title: event.currentTarget.value });
        }}
      />
      <Textarea
        label={t('field.what')}
        description={t('edit.whatHelp')}
        autosize
        minRows={2}
        maxLength={300}
        value={draft.what}
        error={problem?.field('what')}
        onChange={(event) => {
          set({ what: event.currentTarget.value });
        }}
      />
      <Textarea
        label={t('field.how')}
        autosize
        minRows={2}
        maxRows={12}
        value={draft.how}
        error={problem?.field('how')}
        onChange={(event) => {
          set({ how: event.currentTarget.value });
        }}
      />
      <section>
        <div className={css.contentHead}>
          <h2>{t('field.content')}</h2>
          <SegmentedControl
            size="xs"
            aria-label={t('edit.view')}
            value={view}
            onChange={(value) => {
              setView(value as typeof view);
            }}
            data={[
              { value: 'write', label: t('edit.write') },
              { value: 'both', label: t('edit.both') },
              { value: 'preview', label: t('edit.preview') },
            ]}
          />
        </div>
        <div className={css.content} data-view={view}>
          {view !== 'preview' && (
            <Suspense fallback={<Skeleton height={320} />}>
              <CodeEditor
                key={editorText}
                initial={editorText}
                label={t('field.content')}
                onChange={(content) => {
                  set({ content });
                }}
              />
            </Suspense>
          )}
          {view !== 'write' && (
            <div className={css.preview}>
              <Markdown text={preview} title={draft.title} workspace={ws} />
            </div>
          )}
        </div>
        {problem?.field('content') && (
          <p role="alert" className={css.problem}>
            {problem.field('content')}
          </p>
        )}
      </section>
      {listFields.map((field) => (
        <ListEditor
          key={field}
          label={t(`field.${field}`)}
          mono={field === 'anchors'}
          items={draft[field]}
          onChange={(items) => {
            set({ [field]: items });
          }}
        />
      ))}
      <div className={css.pair}>
        <Select
          label={t('facts.area')}
          placeholder={t('none')}
          clearable
          searchable
          data={areas.data?.results.map((area) => area.name) ?? []}
          value={draft.area || null}
          onChange={(area) => {
            set({ area: area ?? '' });
          }}
        />
        <TagsInput
          label={t('facts.tags')}
          data={tags.data?.results.map((tag) => tag.name) ?? []}
          value={draft.tags}
          maxTags={50}
          onChange={(value) => {
            set({ tags: value });
          }}
        />
      </div>
      <TextInput
        label={t('edit.summary')}
        description={t('edit.summaryHelp')}
        value={summary}
        onChange={(event) => {
          setSummary(event.currentTarget.value);
        }}
      />
      {conflict && (
        <ConflictDialog
          merge={conflict.merge}
          theirs={conflict.theirs}
          revision={conflict.theirs.revision}
          onClose={() => {
            setConflict(null);
            save.reset();
          }}
          onResolve={(text) => {
            const next = { ...draft, ...text };
            setBase(conflict.theirs);
            setDraft(next);
            setEditorText(text.content);
            setConflict(null);
            submit(updateOf(draftOf(conflict.theirs), next, conflict.theirs.revision, summary));
          }}
        />
      )}
    </form>
  );
}
