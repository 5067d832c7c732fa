import type { ContentWarning, TopicText } from '../api/types';
import { listFields, textFields } from '../diff/fields';
import { useText } from '../i18n';
import { Markdown } from './Markdown';
import { Notice } from './Notice';
import css from './parts.module.css';

/** The text of a topic as a reader sees it. Empty fields are left out. */
export function TopicFields({ topic, workspace }: { topic: TopicText; workspace: string }) {
  const t = useText();
  return (
    <div className={css.fields}>
      {topic.how && (
        <section>
          <h2 className={css.fieldName}>{t('field.how')}</h2>
          <Markdown text={topic.how} workspace={workspace} />
        </section>
      )}
      {topic.content && (
        <section>
          <h2 className={css.fieldName}>{t('field.content')}</h2>
          <Markdown text={topic.content} title={topic.title} workspace={workspace} />
        </section>
      )}
      {listFields.map((field) =>
        topic[field].length === 0 ? null : (
          <section key={field}>
            <h2 className={css.fieldName}>{t(`field.${field}`)}</h2>
            <ul className={`${css.items ?? ''} ${field === 'anchors' ? (css.anchors ?? '') : ''}`}>
              {topic[field].map((item, i) => (
                <li key={i}>
                  {field === 'anchors' ? item : <Markdown text={item} workspace={workspace} />}
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
    </div>
  );
}

// Parts of a text that have no page of their own: shown as they are stored.
const structured = ['solutions', 'alternatives', 'relations', 'sources'] as const;

function stored(topic: TopicText, name: (typeof structured)[number]): unknown[] {
  const value = (topic as Partial<Record<typeof name, unknown>>)[name];
  return Array.isArray(value) ? value : [];
}

/** Character for character what an approval turns into Knowledge: nothing rendered, nothing left out. */
export function ExactText({ topic }: { topic: TopicText }) {
  const t = useText();
  return (
    <div className={css.exact}>
      {textFields.map((field) =>
        topic[field] === '' ? null : (
          <section key={field}>
            <h3>{t(`field.${field}`)}</h3>
            <pre>{topic[field]}</pre>
          </section>
        ),
      )}
      {listFields.map((field) =>
        topic[field].length === 0 ? null : (
          <section key={field}>
            <h3>{t(`field.${field}`)}</h3>
            {topic[field].map((item, i) => (
              <pre key={i}>{item}</pre>
            ))}
          </section>
        ),
      )}
      {structured.map((name) => {
        const items = stored(topic, name);
        return items.length === 0 ? null : (
          <section key={name}>
            <h3>{t(`field.${name}`)}</h3>
            {items.map((item, i) => (
              <pre key={i}>{typeof item === 'string' ? item : JSON.stringify(item, null, 2)}</pre>
            ))}
          </section>
        );
      })}
    </div>
  );
}

export function Warnings({ warnings }: { warnings: readonly ContentWarning[] }) {
  const t = useText();
  if (warnings.length === 0) return null;
  return (
    <Notice title={t('warnings.title')}>
      <ul className={css.warnings}>
        {warnings.map((warning, i) => (
          <li key={i}>
            {t.word('warning', warning.kind)}
            {warning.excerpt && <span className={css.excerpt}>{warning.excerpt}</span>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
