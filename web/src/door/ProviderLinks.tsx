import { Button } from '@mantine/core';
import { providerAddress, type WaysIn } from '../api/signon';
import { useText } from '../i18n';
import css from './door.module.css';

interface Props {
  providers: WaysIn['providers'];
  returnTo: string;
  invitation?: string;
}

/** Signing in elsewhere: links, because the server answers them, not the console. */
export function ProviderLinks({ providers, returnTo, invitation }: Props) {
  const t = useText();
  return (
    <div className={css.ways}>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          href={providerAddress(id, { returnTo, invitation })}
          variant="default"
          fullWidth
        >
          {t('signIn.with', { name })}
        </Button>
      ))}
    </div>
  );
}
