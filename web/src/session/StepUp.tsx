import { lazy, Suspense } from 'react';
import { useQuestion } from './stepUp';

const StepUpDialog = lazy(() => import('./StepUpDialog'));

/** Asks the person to prove who they are, whenever a request has to wait for it. */
export function StepUp() {
  const question = useQuestion();
  if (!question) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog onAnswer={question.answer} />
    </Suspense>
  );
}
