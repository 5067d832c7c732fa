import type { ReactNode } from 'react';
import css from './sections.module.css';

interface PageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A page of sections, one below the other. */
export function SectionPage({ title, lead, children }: PageProps) {
  return (
    <div className={css.page}>
      <h1>{title}</h1>
      {lead && <p className={css.lead}>{lead}</p>}
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  text?: ReactNode;
  /** What can be added here. */
  action?: ReactNode;
  children?: ReactNode;
}

export function Section({ title, text, action, children }: SectionProps) {
  return (
    <section className={css.section} aria-label={title}>
      <div className={css.head}>
        <div>
          <h2>{title}</h2>
          {text && <p className={css.text}>{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Rows with hairlines between them; `none` says what their absence means. */
export function Rows({ none, children }: { none?: string | false; children?: ReactNode }) {
  if (none) return <p className={css.none}>{none}</p>;
  return <ul className={css.rows}>{children}</ul>;
}

interface RowProps {
  name: ReactNode;
  /** A word beside the name, such as "this one". */
  badge?: string | false;
  tone?: 'moss';
  facts: ReactNode;
  children?: ReactNode;
}

/** One thing that a person has: its name, what is known about it, what can be done with it. */
export function Row({ name, badge, tone, facts, children }: RowProps) {
  return (
    <li className={css.row}>
      <div className={css.what}>
        <span className={css.name}>{name}</span>
        {badge && (
          <span className={css.badge} data-tone={tone}>
            {badge}
          </span>
        )}
        <div className={css.facts}>{facts}</div>
      </div>
      {children && <div className={css.actions}>{children}</div>}
    </li>
  );
}

/** The answers at the foot of a dialog. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={css.dialogFoot}>{children}</div>;
}
