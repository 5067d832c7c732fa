import { useText } from '../i18n';
import { SectionPage } from '../parts/Section';
import { useTitle } from '../parts/title';
import { Care } from './Care';
import { CoverageSection } from './CoverageSection';
import { TrendSection } from './TrendSection';

/** How well what is written still holds, and what is not written yet. */
export default function HealthPage() {
  const t = useText();
  useTitle(t('nav.health'));
  return (
    <SectionPage title={t('nav.health')} lead={t('health.text')}>
      <Care />
      <TrendSection />
      <CoverageSection />
    </SectionPage>
  );
}
