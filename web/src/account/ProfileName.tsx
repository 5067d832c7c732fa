import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { changeName } from '../api/account';
import { Problem } from '../api/problem';
import { sessionQuery } from '../api/queries';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import css from './account.module.css';

/** The name that others see, and a way to change it. */
export function ProfileName({ name }: { name: string }) {
  const t = useText();
  const client = useQueryClient();
  const router = useRouter();
  const [text, setText] = useState<string | null>(null);
  const rename = useSingleMutation({
    mutationFn: (next: string) => changeName(next),
    async onSuccess() {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey });
      await router.invalidate();
      setText(null);
    },
  });
  if (text === null) {
    return (
      <span className={css.named}>
        <span>{name}</span>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={t('account.changeName')}
          onClick={() => {
            setText(name);
          }}
        >
          {t('account.change')}
        </Button>
      </span>
    );
  }
  const wrong = rename.error instanceof Problem ? rename.error.field('name') : undefined;
  return (
    <form
      className={css.naming}
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate(text.trim());
      }}
    >
      <TextInput
        // It took the place of the button that was pressed.
        autoFocus
        aria-label={t('account.name')}
        maxLength={120}
        autoComplete="name"
        value={text}
        error={wrong}
        onChange={(event) => {
          setText(event.currentTarget.value);
        }}
      />
      <Button
        type="submit"
        loading={rename.isPending}
        disabled={text.trim() === '' || text.trim() === name}
      >
        {t('account.saveName')}
      </Button>
      <Button
        variant="default"
        onClick={() => {
          setText(null);
          rename.reset();
        }}
      >
        {t('cancel')}
      </Button>
      {rename.error && !wrong && <Failure error={rename.error} />}
    </form>
  );
}
