// Empties dist before a build but keeps .gitkeep, which lets the Go package compile in a clean checkout.
import { readdirSync, rmSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
for (const name of readdirSync(dist)) {
  if (name !== '.gitkeep') rmSync(new URL(name, dist), { recursive: true });
}
