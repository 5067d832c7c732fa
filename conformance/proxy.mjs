// A loopback proxy that adds the credential, because the suite cannot send one.
import { once } from 'node:events';
import http from 'node:http';

/** Stands before the server at target; everything else passes unchanged, Host and streams included. */
export async function startProxy(target, token) {
  const { hostname, port, pathname } = new URL(target);
  const proxy = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
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
    url: `http://127.0.0.1:${proxy.address().port}${pathname}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
