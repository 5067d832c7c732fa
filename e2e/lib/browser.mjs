// A real browser in front of the console, and everything it must not complain about.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

const shots = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** The sizes and colour schemes that each page has to work in. */
export const looks = [
  { name: 'desktop-light', size: 'desktop', colorScheme: 'light' },
  { name: 'desktop-dark', size: 'desktop', colorScheme: 'dark' },
  { name: 'phone-light', size: 'phone', colorScheme: 'light' },
  { name: 'phone-dark', size: 'phone', colorScheme: 'dark' },
];

const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

export async function startBrowser() {
  const browser = await chromium.launch({
    // Debian's package; nothing is downloaded. Playwright gives it a fresh profile each time.
    executablePath: process.env.DRIFTLESS_CHROMIUM || '/usr/bin/chromium',
    headless: true,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return new Browser(browser);
}

class Browser {
  #browser;

  constructor(browser) {
    this.#browser = browser;
  }

  /**
   * A person with a browser of their own: cookies are shared by its pages and by nobody else.
   * @param {{url: string}} server
   * @param {{look?: typeof looks[number], storageState?: object}} options
   */
  async person(server, { look = looks[0], storageState } = {}) {
    const context = await this.#browser.newContext({
      ...sizes[look.size],
      colorScheme: look.colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      storageState,
    });
    context.setDefaultTimeout(15_000);
    const person = new Person(context, server, look);
    await person.watch();
    return person;
  }

  async close() {
    await this.#browser.close();
  }
}

class Person {
  #complaints = [];
  #refusals = [];
  #context;
  #server;
  #look;

  constructor(context, server, look) {
    this.#context = context;
    this.#server = server;
    this.#look = look;
  }

  /** Whatever a page of ours complains about is collected for assertQuiet. */
  async watch() {
    await this.#context.exposeBinding('reportPolicyViolation', ({ page }, text) => {
      this.#complaints.push(`${page.url()}: policy: ${text}`);
    });
    await this.#context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        window.reportPolicyViolation(`${event.violatedDirective} refused ${event.blockedURI}`);
      });
    });
    this.#context.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      const { url } = message.location();
      const page = message.page()?.url() ?? '';
      // The page a client shows after the sign-in is not ours.
      if (![url, page].some((address) => address.startsWith(this.#server.url))) return;
      // A page asks whether somebody is signed in; the browser reports the answer "nobody" by itself.
      if (url === `${this.#server.url}/api/v1/session` && message.text().includes('401')) return;
      const failed = message.text().startsWith('Failed to load resource');
      if (failed && this.#refusals.some((path) => url.startsWith(this.#server.url + path))) return;
      this.#complaints.push(`${page}: console: ${message.text()} (${url})`);
    });
    this.#context.on('weberror', ({ error, page }) => {
      this.#complaints.push(`${page()?.url()}: thrown: ${error()?.stack ?? error()}`);
    });
    this.#context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      const local = ['127.0.0.1', 'localhost'].includes(hostname) || ['data:', 'blob:'].includes(protocol);
      if (!local) this.#complaints.push(`a request left for ${request.url()}`);
    });
  }

  /** From here on the browser may report that the server refused a request below this path. */
  expectRefusal(path) {
    this.#refusals.push(path);
  }

  /** Opens an address, on our server unless it is a whole one. */
  async open(address) {
    const page = await this.#context.newPage();
    await page.goto(new URL(address, this.#server.url).href);
    return page;
  }

  /** Signs in on the sign-in page that is shown. */
  async signIn(page, { email, password }) {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** The cookies, for another browser of the same person. */
  storageState() {
    return this.#context.storageState();
  }

  /** Keeps what the page looks like under a name, for a person to judge; a tall page on a screen as tall. */
  async screenshot(page, name, { fullPage = false } = {}) {
    await mkdir(shots, { recursive: true });
    await this.settled(page);
    const size = page.viewportSize();
    if (fullPage) {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: size.width, height: Math.max(height, size.height) });
    }
    await page.screenshot({ path: `${shots}${name}.${this.#look.name}.png`, animations: 'disabled' });
    if (fullPage) await page.setViewportSize(size);
  }

  /** Waits until nothing is loading and the fonts are there. */
  async settled(page) {
    await page.waitForFunction(
      () => document.fonts.status === 'loaded' && !document.querySelector('[aria-busy=true], .mantine-Skeleton-root'),
    );
  }

  /** Wants no serious or critical finding of axe, and no page that is wider than its screen. */
  async assertAccessible(page, name) {
    await this.settled(page);
    await page.evaluate(axe.source);
    const found = await page.evaluate(() =>
      window.axe.run(document, {
        resultTypes: ['violations'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      }),
    );
    const serious = found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.target.join(' ')) }));
    assert.deepEqual(serious, [], `axe on ${name}, ${this.#look.name}`);
    const { scrollWidth, innerWidth } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      innerWidth: window.innerWidth,
    }));
    assert.ok(scrollWidth <= innerWidth, `${name} is ${scrollWidth} wide on ${innerWidth}, ${this.#look.name}`);
  }

  /** Wants that no page has complained so far. */
  assertQuiet() {
    assert.deepEqual(this.#complaints, []);
  }

  async close() {
    await this.#context.close();
    this.assertQuiet();
  }
}
