import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { exportFiles } from '../api/export';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { Section } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import css from './settings.module.css';

/** Hands a file to the browser to keep. */
function keep(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** All topics, events and settings that one may see, in one archive. */
export function Export() {
  const { workspace } = useHere();
  const t = useText();
  const notify = useNotify();
  const [done, setDone] = useState(0);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const run = useSingleMutation({
    async mutationFn() {
      const control = new AbortController();
      stop.current = control;
      setDone(0);
      const [files, { zipped }] = await Promise.all([
        exportFiles(workspace.slug, control.signal, setDone),
        import('./zip'),
      ]);
      return zipped(files);
    },
    onSuccess(file) {
      keep(`${workspace.slug}-${new Date().toISOString().slice(0, 10)}.zip`, file);
      notify(t('export.done'));
    },
  });
  return (
    <Section title={t('export.title')} text={t('export.text')}>
      <div className={css.export}>
        <Button
          variant="default"
          loading={run.isPending}
          onClick={() => {
            run.mutate(undefined);
          }}
        >
          {t('export.do')}
        </Button>
        <span role="status" className="soft num">
          {run.isPending && t.count('export.progress', done)}
        </span>
      </div>
      {run.error && <Failure error={run.error} />}
    </Section>
  );
}
