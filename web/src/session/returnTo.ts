/**
 * The local path to go to after signing in. Anything that could leave this
 * origin answers "/": another origin, `//host`, a backslash (browsers read it
 * as a slash), control characters (browsers drop them before they parse), or a
 * page that would only ask to sign in again.
 */
export function safeReturnTo(value: unknown, origin = window.location.origin): string {
  if (typeof value !== 'string' || value.length > 4096) return '/';
  if (!value.startsWith('/') || value.startsWith('//')) return '/';
  // eslint-disable-next-line no-control-regex
  if (/[\\\u0000-\u001f\u007f]/.test(value)) return '/';
  let url: URL;
  try {
    url = new URL(value, origin);
  } catch {
    return '/';
  }
  if (url.origin !== origin) return '/';
  if (url.pathname.startsWith('//') || url.pathname.startsWith('/sign-in')) return '/';
  return url.pathname + url.search + url.hash;
}

/** Paths the server answers itself; the browser must load them, not the router. */
export function isServerPath(path: string): boolean {
  return /^\/(oauth|api|s)\//.test(path);
}
