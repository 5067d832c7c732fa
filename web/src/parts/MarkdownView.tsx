import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import { useText } from '../i18n';
import { remarkHeadings } from './headings';
import { remarkMentions } from './mentions';
import css from './markdown.module.css';

// Topic text is foreign. HTML in it stays visible as text, addresses pass
// react-markdown's list of harmless schemes, and images become links, because
// loading one would tell a stranger who reads what.
export default function MarkdownView({ text, workspace }: { text: string; workspace: string }) {
  const t = useText();
  const components = useMemo<Components>(
    () => ({
      a({ href, children, node }) {
        const slug = node?.properties.dataMention;
        if (typeof slug === 'string') {
          return (
            <Link to="/w/$ws/t/$slug" params={{ ws: workspace, slug }} className={css.mention}>
              {children}
            </Link>
          );
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
        remarkPlugins={[remarkGfm, remarkMentions, remarkHeadings]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
