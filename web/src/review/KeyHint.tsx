import css from './review.module.css';

/** The key that does the same as the button it stands on. */
export function KeyHint({ name }: { name: string }) {
  return (
    <span className={css.keyHint} aria-hidden="true">
      {name}
    </span>
  );
}
