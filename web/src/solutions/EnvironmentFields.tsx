import { Autocomplete } from '@mantine/core';
import type { Environment } from '../api/solutions';
import { useText } from '../i18n';
import { parts, type Part } from './environment';
import css from './solutions.module.css';

interface Props {
  value: Environment;
  /** Environments to suggest parts of. */
  known: readonly Environment[];
  onChange: (env: Environment) => void;
}

const examples: Record<Part, string> = { os: 'linux', runtime: 'node-22', pkg_manager: 'npm' };

/** An environment, part by part; what is left empty matches anything. */
export function EnvironmentFields({ value, known, onChange }: Props) {
  const t = useText();
  return (
    <div className={css.parts}>
      {parts.map((part) => (
        <Autocomplete
          key={part}
          size="xs"
          label={t(`solutions.${part}`)}
          placeholder={examples[part]}
          maxLength={60}
          data={[...new Set(known.flatMap((env) => env[part] ?? []))]}
          value={value[part] ?? ''}
          onChange={(text) => {
            onChange({ ...value, [part]: text });
          }}
        />
      ))}
    </div>
  );
}
