// Measures what a first visit loads: the entry script and everything it imports statically, gzipped.
// Fails above the budget, so that a heavy import does not slip in.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const budget = 300 * 1024;
const dist = new URL('../dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');
const sizes = new Map();

function visit(path) {
  if (sizes.has(path)) return;
  const text = readFileSync(new URL(path, dist), 'utf8');
  sizes.set(path, gzipSync(text).length);
  for (const [, name] of text.matchAll(/(?:import|from)\s*["']\.\/([\w.-]+\.js)["']/g)) {
    visit(`assets/${name}`);
  }
}

for (const [, path] of html.matchAll(/(?:src|href)="\/([\w./-]+\.js)"/g)) visit(path);
const total = [...sizes.values()].reduce((a, b) => a + b, 0);
for (const [path, size] of sizes)
  console.log(`${(size / 1024).toFixed(1).padStart(8)} KB  ${path}`);
console.log(
  `${(total / 1024).toFixed(1).padStart(8)} KB  first load, gzipped (budget ${budget / 1024} KB)`,
);
if (total > budget) process.exit(1);
