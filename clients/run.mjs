// Leads real clients the whole way, three at a time, and prints what each of them did. FULL=1 adds the AI agents; ONLY=word
// leaves those whose name has the word.
import { lead } from './flow.mjs';
import { libraries } from './libraries.mjs';
import { programs } from './programs.mjs';

// Those that wait the most come first.
const clients = [...programs, ...libraries];
if (process.env.FULL === '1') clients.push(...(await import('./agents.mjs')).agents);
const chosen = clients.filter(({ name }) => name.toLowerCase().includes((process.env.ONLY ?? '').toLowerCase()));

const began = Date.now();
const waiting = [...chosen];
let steps = 0;
let failed = 0;

async function work() {
  for (let client = waiting.shift(); client; client = waiting.shift()) {
    const since = Date.now();
    try {
      const went = await lead(client);
      steps += went.length;
      const without = client.without ? `; without ${client.without}` : '';
      console.log(`${client.name}: ${went.join(', ')}${without} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.error(error.message);
    }
  }
}

await Promise.all([work(), work(), work()]);
const seconds = ((Date.now() - began) / 1000).toFixed(0);
console.log(`clients: ${chosen.length - failed} of ${chosen.length} clients went ${steps} steps in ${seconds} s`);
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1;
