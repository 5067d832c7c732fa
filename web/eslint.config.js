import js from '@eslint/js';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/api/schema.d.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  a11y.flatConfigs.recommended,
  hooks.configs.flat['recommended-latest'],
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: { globals: globals.browser },
    rules: {
      // All topic text is foreign. There is no way from a string to markup.
      'no-restricted-syntax': [
        'error',
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Topic text is foreign: render it with <Markdown>.',
        },
      ],
      'max-lines': ['error', 500],
      // A dialog moves focus to its first field on purpose.
      'jsx-a11y/no-autofocus': 'off',
    },
  },
  {
    files: ['*.js', '*.ts', 'scripts/*.mjs', 'public/*.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
);
