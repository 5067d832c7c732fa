import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Coverage, Covered, Folder } from '../api/health';
import { useText } from '../i18n';
import { useHere } from '../shell/workspace';
import { HeatTree } from './HeatTree';
import { percent, steps } from './paths';
import css from './health.module.css';

interface Props {
  coverage: Coverage;
  /** The repository as the address names it; nothing where there is only one. */
  repo: string | undefined;
}

/** A level of the tree: each folder with how much of it is written about, and the largest gaps below. */
export function Folders({ coverage, repo }: Props) {
  const t = useText();
  const here = coverage.path ?? '';
  const { total } = coverage;
  return (
    <>
      <nav className={css.crumbs} aria-label={t('coverage.path')}>
        <To repo={repo} path={undefined} current={here === ''}>
          {coverage.repository}
        </To>
        {steps(here).map((step) => (
          <span key={step.path}>
            <span aria-hidden="true">/</span>
            <To repo={repo} path={step.path} current={step.path === here}>
              {step.name}
            </To>
          </span>
        ))}
        <span className="soft mono">
          {coverage.branch} {coverage.head.slice(0, 10)}
        </span>
      </nav>
      <div className={css.total}>
        <p>
          <strong className="num">{Math.round(100 * total.share)} %</strong>
          <span>{t('coverage.share')}</span>
        </p>
        <Bar of={total} />
        <ul className={css.legend}>
          {(['knowledge', 'note', 'none'] as const).map((kind) => (
            <li key={kind}>
              <span className={css.swatch} data-kind={kind} aria-hidden="true" />
              {t(`coverage.kind.${kind}`)} <span className="num">{total[kind]}</span>
            </li>
          ))}
        </ul>
      </div>
      {coverage.folders.length > 1 && (
        <HeatTree folders={coverage.folders} here={here} repo={repo} />
      )}
      {coverage.folders.length > 0 && (
        <ul className={css.folders}>
          {coverage.folders.map((folder) => (
            <FolderRow key={folder.path} folder={folder} here={here} repo={repo} />
          ))}
        </ul>
      )}
      {coverage.results.length > 0 && (
        <>
          <h3 className={css.gapsTitle}>{t('coverage.gaps')}</h3>
          <ul className={css.gaps}>
            {coverage.results.map((gap) => (
              <li key={gap.path}>
                <span className="mono">{gap.path === '.' ? t('coverage.top') : gap.path}</span>
                <span className="soft">
                  {t.count('coverage.files', gap.files)} ·{' '}
                  {t.count('coverage.commits', gap.commits)}
                </span>
                <span className={`mono soft ${css.samples ?? ''}`}>
                  {gap.samples.map((sample) => sample.split('/').at(-1)).join('  ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function FolderRow({ folder, here, repo }: { folder: Folder; here: string; repo?: string }) {
  const t = useText();
  // The files that lie in this folder itself come as a folder of the same path.
  const own = folder.path === here || folder.path === '.';
  const name = folder.path.split('/').at(-1) ?? folder.path;
  const values = { n: folder.knowledge, of: folder.files };
  return (
    <li>
      <span className={css.folderName}>
        {own ? (
          <span className="soft">{t('coverage.own')}</span>
        ) : (
          <To repo={repo} path={folder.path}>
            {name}/
          </To>
        )}
      </span>
      <Bar of={folder} />
      <span className={`${css.counts ?? ''} num`}>
        {t('coverage.of', values)}
        {folder.note > 0 && (
          <span className="soft"> · {t('coverage.notes', { n: folder.note })}</span>
        )}
      </span>
    </li>
  );
}

/** Drawn for the eye alone: the numbers stand beside it. */
function Bar({ of }: { of: Covered }) {
  return (
    <span className={css.bar} aria-hidden="true">
      {(['knowledge', 'note'] as const).map((kind) => (
        <span
          key={kind}
          data-kind={kind}
          style={{ width: `${String(percent(of[kind], of.files))}%` }}
        />
      ))}
    </span>
  );
}

interface ToProps {
  repo: string | undefined;
  path: string | undefined;
  current?: boolean;
  children: ReactNode;
}

function To({ repo, path, current = false, children }: ToProps) {
  const { workspace } = useHere();
  return (
    <Link
      to="/w/$ws/health"
      params={{ ws: workspace.slug }}
      search={{ repo, path }}
      resetScroll={false}
      className="mono"
      aria-current={current ? 'location' : undefined}
      activeProps={{}}
    >
      {children}
    </Link>
  );
}
