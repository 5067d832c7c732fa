// A loopback proxy before several processes that are one server. It adds the credential where the suite cannot send one.
import { once } from 'node:events';
import http from 'node:http';

/**
 * Passes each request to the next of the targets, unchanged but for the credential, Host and streams included.
 * @param {string[]} targets addresses that differ in their origin alone
 * @param {string} [token] a bearer credential for requests that have none
 */
export async function startProxy(targets, token) {
  const origins = targets.map((target) => new URL(target));
  const passed = origins.map(() => 0);
  let turn = 0;
  const proxy = http.createServer((request, response) => {
    const at = turn++ % origins.length;
    const { hostname, port } = origins[at];
    passed[at] += 1;
    const headers = token ? { authorization: `Bearer ${token}`, ...request.headers } : request.headers;
    const forward = http.request({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
      // An answer that streams may say nothing for a while; its head is due at once.
      response.flushHeaders();
    });
    forward.on('error', () => response.destroy());
    response.on('close', () => forward.destroy());
    request.pipe(forward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${proxy.address().port}${origins[0].pathname.replace(/\/$/, '')}`,
    /** How many requests each target got. */
    passed,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
