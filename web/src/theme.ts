import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

// The visual language is described in docs/console.md. Short: paper, hairlines,
// ink, and one mark (the level square) for how far a text can be trusted.

const stone: MantineColorsTuple = [
  '#f7f8f4',
  '#eff1eb',
  '#e2e5dd',
  '#cfd4c9',
  '#a9b0a4',
  '#7c847a',
  '#5b635a',
  '#434a42',
  '#2c312c',
  '#181c18',
];

const night: MantineColorsTuple = [
  '#e6e9e2',
  '#c3c8bf',
  '#9aa297',
  '#747c72',
  '#4b524a',
  '#343a34',
  '#282d28',
  '#1d211d',
  '#171a17',
  '#131613',
];

const moss: MantineColorsTuple = [
  '#eef5f0',
  '#dceae1',
  '#bcd5c5',
  '#93bba3',
  '#6da083',
  '#4c8766',
  '#37704f',
  '#2a5c40',
  '#204a33',
  '#163626',
];

const ochre: MantineColorsTuple = [
  '#fbf4e3',
  '#f5e7c3',
  '#ebd190',
  '#dfb95c',
  '#c99c38',
  '#a97e22',
  '#8a6518',
  '#704f11',
  '#573d0e',
  '#3d2a09',
];

const rust: MantineColorsTuple = [
  '#fcf0ec',
  '#f8ddd5',
  '#efbbad',
  '#e39581',
  '#d6715a',
  '#c1543c',
  '#a6412c',
  '#883322',
  '#6b291c',
  '#4c1d14',
];

const sans =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';

/** Text on a filled button: light on the deep shades of day, dark on the pale ones of night. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === 'filled' ? { ...colors, color: 'var(--on-fill)' } : colors;
};

export const theme = createTheme({
  colors: { gray: stone, dark: night, moss, ochre, rust, red: rust, yellow: ochre, green: moss },
  primaryColor: 'moss',
  primaryShade: { light: 7, dark: 3 },
  variantColorResolver,
  black: '#181c18',
  white: '#ffffff',
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '3px', md: '4px', lg: '6px', xl: '8px' },
  fontFamily: sans,
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '19px' },
  lineHeights: { xs: '1.4', sm: '1.5', md: '1.55', lg: '1.55', xl: '1.35' },
  headings: {
    fontFamily: sans,
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '24px', lineHeight: '1.25' },
      h2: { fontSize: '16px', lineHeight: '1.35' },
      h3: { fontSize: '14px', lineHeight: '1.4' },
    },
  },
  shadows: {
    xs: 'none',
    sm: '0 1px 2px rgb(24 28 24 / 0.06)',
    md: '0 8px 28px rgb(24 28 24 / 0.12)',
    lg: '0 12px 40px rgb(24 28 24 / 0.16)',
    xl: '0 16px 56px rgb(24 28 24 / 0.2)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Modal: { defaultProps: { overlayProps: { backgroundOpacity: 0.35 } } },
    Checkbox: { defaultProps: { iconColor: 'var(--on-fill)' } },
    Radio: { defaultProps: { iconColor: 'var(--on-fill)' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false } },
    Skeleton: { defaultProps: { radius: 'xs' } },
  },
});

/** Hands Mantine the tokens of tokens.css, so that both speak of the same colours. */
export const resolver: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--ground)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-soft)',
    '--mantine-color-placeholder': 'var(--ink-faint)',
    '--mantine-color-default': 'var(--sheet)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-border': 'var(--rule-strong)',
    '--mantine-color-anchor': 'var(--moss)',
    '--mantine-color-error': 'var(--rust)',
  };
  return { variables: {}, light: shared, dark: shared };
};
