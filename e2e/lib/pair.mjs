// Two servers on one database, as behind a load balancer that knows nothing about their clients.
import { startProxy } from './proxy.mjs';
import { freePort, startServer } from './server.mjs';

/** Starts both behind one address, with demo content; it has the same face as one server. */
export async function startPair() {
  const ports = [await freePort(), await freePort()];
  const proxy = await startProxy(ports.map((port) => `http://127.0.0.1:${port}`));
  const open = [proxy];
  const close = async () => {
    for (const one of open.reverse()) await one.close();
  };
  try {
    const env = { DRIFTLESS_PUBLIC_URL: proxy.url };
    const first = await startServer({ demo: true, port: ports[0], env });
    open.push(first);
    open.push(await startServer({ port: ports[1], env: { ...env, DRIFTLESS_DATABASE_URL: await first.databaseURL() } }));
    return { url: proxy.url, passed: proxy.passed, people: first.people, databaseURL: () => first.databaseURL(), close };
  } catch (error) {
    await close();
    throw error;
  }
}
