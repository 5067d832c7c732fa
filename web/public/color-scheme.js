// Sets the colour scheme before the first paint. A file of its own because the policy forbids inline scripts.
(function () {
  var root = document.documentElement;
  var saved = null;
  try {
    saved = window.localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage may be blocked; the system's preference then decides.
  }
  var dark =
    saved === 'dark' ||
    (saved !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
