import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import { useText } from '../i18n';
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
        <div className={css.table}>
          <table>{children}</table>
        </div>
      ),
      // The page's own headings are the first two levels.
      h1: ({ children }) => <h3 data-level="1">{children}</h3>,
      h2: ({ children }) => <h4 data-level="2">{children}</h4>,
      h3: ({ children }) => <h5 data-level="3">{children}</h5>,
      h4: ({ children }) => <h6>{children}</h6>,
      h5: ({ children }) => <h6>{children}</h6>,
    }),
    [t, workspace],
  );
  return (
    <div className={css.markdown}>
      <ReactMarkdown remarkPlugins={[remarkGfm, remarkMentions]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
