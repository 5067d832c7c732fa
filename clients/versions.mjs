// The versions that are tried, from where they are pinned.
import { readFileSync } from 'node:fs';
import { root } from '../e2e/lib/server.mjs';

const text = (file) => readFileSync(new URL(file, `file://${root}`), 'utf8');
const pinned = {
  ...JSON.parse(text('clients/package.json')).devDependencies,
  ...JSON.parse(text('clients/full/package.json')).devDependencies,
};

export function version(name) {
  return pinned[name];
}

export function goVersion(module) {
  return new RegExp(`^\\s${module} v(\\S+)`, 'm').exec(text('go.mod'))[1];
}
