import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import { useText } from '../i18n';
import { remarkHeadings, remarkWithoutTitle } from './headings';
import { useKnownTopic } from './KnownTopics';
import { remarkMentions } from './mentions';
import css from './markdown.module.css';

export interface MarkdownProps {
  text: string;
  /** What the page calls the text: a first heading that only repeats it is not shown. */
  title?: string;
  workspace: string;
}

// Topic text is foreign. HTML in it stays visible as text, addresses pass
// react-markdown's list of harmless schemes, and images become links, because
// loading one would tell a stranger who reads what.
export default function MarkdownView({ text, title, workspace }: MarkdownProps) {
  const t = useText();
  const components = useMemo<Components>(
    () => ({
      a({ href, children, node }) {
        const slug = node?.properties.dataMention;
        if (typeof slug === 'string') {
          return <Mention workspace={workspace} slug={slug} />;
        }
        return (
          <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
            {children}
          </a>
        );
      },
      img({ src, alt }) {
        const address = typeof src === 'string' ? src : '';
        return (
          <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
            {t('markdown.image', { alt: alt ?? address })}
          </a>
        );
      },
      table: ({ children }) => (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={css.table} tabIndex={0}>
          <table>{children}</table>
        </div>
      ),
      // What scrolls sideways must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
    }),
    [t, workspace],
  );
  return (
    <div className={css.markdown}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm, [remarkWithoutTitle, title], remarkMentions, remarkHeadings]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

function Mention({ workspace, slug }: { workspace: string; slug: string }) {
  const t = useText();
  const known = useKnownTopic(slug);
  if (known?.dead) {
    return (
      <span className={css.dead}>
        <span className="mono">{slug}</span> ({t('topic.dead')})
      </span>
    );
  }
  return (
    <Link
      to="/w/$ws/t/$slug"
      params={{ ws: workspace, slug }}
      className={`${css.mention ?? ''} ${known?.title ? '' : 'mono'}`}
    >
      {known?.title ?? slug}
    </Link>
  );
}
