// Addresses with these schemes would run or show something here instead of going there.
const refused = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']);

/** Whether the browser may be sent to the address a client registered. */
export function isRedirectable(address: string): boolean {
  try {
    return !refused.has(new URL(address).protocol);
  } catch {
    return false;
  }
}
