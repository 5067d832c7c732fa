import { Checkbox, Stack } from '@mantine/core';
import { scopes, type Scope } from '../api/types';
import { useText } from '../i18n';

interface Props {
  label: string;
  chosen: Scope[];
  onChange: (scopes: Scope[]) => void;
}

/** What a key or a client may do, one box for each scope. */
export function ScopeBoxes({ label, chosen, onChange }: Props) {
  const t = useText();
  return (
    <Checkbox.Group
      label={label}
      value={chosen}
      onChange={(value) => {
        onChange(scopes.filter((scope) => value.includes(scope)));
      }}
    >
      <Stack gap={8} mt={6}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={<span className="mono">{scope}</span>}
            description={t(`scope.${scope}`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
