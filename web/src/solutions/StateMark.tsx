import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconScale,
  type Icon,
} from '@tabler/icons-react';
import type { AnswerState } from '../api/solutions';
import { useText } from '../i18n';
import css from './solutions.module.css';

const icons: Record<AnswerState, Icon> = {
  unverified: IconCircleDashed,
  verified: IconCircleCheck,
  unconfirmed: IconAlertTriangle,
  known_failed: IconCircleX,
  disputed: IconScale,
  cleared: IconCircleCheck,
};

/** What the reports say together: a sign and its word. */
export function StateMark({ state }: { state: AnswerState }) {
  const t = useText();
  const Sign = icons[state];
  return (
    <span className={css.state} data-state={state} title={t(`answer.${state}.text`)}>
      <Sign size={15} aria-hidden="true" />
      {t(`answer.${state}`)}
    </span>
  );
}
