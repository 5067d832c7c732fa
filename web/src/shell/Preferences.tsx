import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useLanguage, type Locale } from '../i18n';

const languages: readonly [Locale, string][] = [
  ['en', 'English'],
  ['es', 'Español'],
];

const schemes = [
  ['auto', IconDeviceDesktop],
  ['light', IconSun],
  ['dark', IconMoon],
] as const satisfies readonly (readonly [MantineColorScheme, typeof IconSun])[];

/** Colour scheme and language, as items of a menu. */
export function PreferenceItems() {
  const { locale, setLocale, text: t } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{t('theme.label')}</Menu.Label>
      {schemes.map(([scheme, Icon]) => (
        <Menu.Item
          key={scheme}
          role="menuitemradio"
          aria-checked={colorScheme === scheme}
          closeMenuOnClick={false}
          leftSection={<Icon size={15} />}
          rightSection={colorScheme === scheme ? <IconCheck size={15} /> : null}
          onClick={() => {
            setColorScheme(scheme);
          }}
        >
          {t(`theme.${scheme}`)}
        </Menu.Item>
      ))}
      <Menu.Label>{t('language.label')}</Menu.Label>
      {languages.map(([code, name]) => (
        <Menu.Item
          key={code}
          lang={code}
          role="menuitemradio"
          aria-checked={locale === code}
          closeMenuOnClick={false}
          rightSection={locale === code ? <IconCheck size={15} /> : null}
          onClick={() => {
            setLocale(code);
          }}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
