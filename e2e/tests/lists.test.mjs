// Lists: more rows come as one goes down, and filters are saved, used again and forgotten.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  const owner = await signIn(server, server.people.owner);
  for (let i = 0; i < 300; i += 100) {
    const drafts = Array.from({ length: 100 }, (_, k) => ({
      key: `k${i + k}`,
      title: `Row ${i + k}`,
      what: 'One of many.',
      area: (i + k) % 2 === 0 ? 'Even' : 'Odd',
    }));
    await owner.call('POST', '/imports', { origin: 'seed', drafts });
  }
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function opened(look = looks[0]) {
  const person = await browser.person(server, { look });
  const page = await person.open('/w/driftless/notes?trust=draft');
  await person.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
  await page.getByRole('link', { name: /^Row / }).first().waitFor();
  return { person, page };
}

test('rows come as one goes down, more than a hundred of them', async () => {
  const { person, page } = await opened();
  const rows = page.getByRole('link', { name: /^Row / });
  const first = await rows.count();
  await page.keyboard.press('End');
  for (let seen = first; seen < 200; ) {
    // Goes to the end again with each look: a page that grew in between has a new one.
    await page.waitForFunction((n) => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      return document.querySelectorAll('main li').length > n;
    }, seen);
    seen = await page.locator('main li').count();
  }
  await person.close();
});

for (const look of [looks[0], looks[3]]) {
  test(`a filter is saved, used again and forgotten: ${look.name}`, async () => {
    const { person, page } = await opened(look);
    await page.getByLabel('Search notes').fill('Row 7');
    await page.waitForURL(/q=Row/);
    await page.getByRole('button', { name: 'Save this filter' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name of the filter').fill('Sevens');
    await page.keyboard.press('Enter');
    const saved = page.getByRole('button', { name: 'Sevens', exact: true });
    await saved.waitFor();
    assert.equal(await saved.getAttribute('aria-pressed'), 'true');
    await person.screenshot(page, 'lists-saved');
    await person.assertAccessible(page, 'lists-saved');
    await saved.click();
    await page.waitForURL((url) => !url.searchParams.has('q') && !url.searchParams.has('trust'));
    assert.equal(await page.getByLabel('Search notes').inputValue(), '');
    await page.reload();
    await saved.click();
    await page.waitForURL(/q=Row/);
    await page.getByRole('button', { name: 'Forget the filter Sevens' }).click();
    await saved.waitFor({ state: 'detached' });
    await person.close();
  });
}
