import { Link } from '@tanstack/react-router';
import type { Folder } from '../api/health';
import { useText } from '../i18n';
import { useHere } from '../shell/workspace';
import css from './health.module.css';
import { percent } from './paths';
import { treemap } from './treemap';

/** Width by height, as health.module.css has it. */
const ratio = 4;

/** From this share of the whole on, in percent, a folder has room for its name. */
const roomy = 9;

interface Props {
  folders: readonly Folder[];
  /** The folder whose parts are shown, and the repository as the address names it. */
  here: string;
  repo: string | undefined;
}

/** Folders by their size, the darker the more of them is covered. For the eye alone: the list below has the same. */
export function HeatTree({ folders, here, repo }: Props) {
  const { workspace } = useHere();
  const t = useText();
  const boxes = treemap(folders, ({ files }) => files, ratio);
  return (
    <div className={css.heat} aria-hidden="true">
      {boxes.map(({ item, x, y, width, height }) => {
        const own = item.path === here || item.path === '.';
        const name = own ? t('coverage.own') : `${item.path.split('/').at(-1) ?? item.path}/`;
        const share = Math.round(percent(item.knowledge, item.files));
        const style = {
          left: `${String(x)}%`,
          top: `${String(y)}%`,
          width: `${String(width)}%`,
          height: `${String(height)}%`,
        };
        const text = width > roomy && height > 18 && (
          <>
            <span>{name}</span>
            <span className="num">{share} %</span>
          </>
        );
        const heat = Math.ceil(share / 25);
        return own ? (
          <span key={item.path} data-heat={heat} style={style} title={`${name} ${String(share)} %`}>
            {text}
          </span>
        ) : (
          <Link
            key={item.path}
            to="/w/$ws/health"
            params={{ ws: workspace.slug }}
            search={{ repo, path: item.path }}
            resetScroll={false}
            tabIndex={-1}
            data-heat={heat}
            style={style}
            title={`${name} ${String(share)} %`}
            activeProps={{}}
          >
            {text}
          </Link>
        );
      })}
    </div>
  );
}
