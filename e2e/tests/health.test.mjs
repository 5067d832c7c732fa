// Health: what the doctor finds with what helps, and what the topics cover of a repository.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner, superseded;

/** A sync as `driftless sync` sends it: id of the blob, size, number of commits, path. */
function syncOf(files) {
  const rows = Object.keys(files)
    .sort()
    .map((path, i) => `${String(i + 1).padStart(40, '0')} 10 ${files[path]}\t${path}\0`);
  return {
    remote: 'https://git.example/acme/shop.git',
    branch: 'main',
    head: 'a'.repeat(40),
    committed_at: '2026-01-02T03:04:05Z',
    files: gzipSync(rows.join('')).toString('base64'),
  };
}

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
  superseded = await owner.reviewed({ title: 'The old queue', what: 'How messages were kept.' });
  await owner.reviewed({
    title: 'The new queue',
    what: 'How messages are kept.',
    rels: [{ type: 'supersedes', to: superseded }],
  });
  await owner.reviewed({ title: 'Charging', what: 'How a charge is tried again.', anchors: ['pay/charge/**'] });
  await owner.proposed({ title: 'Refunds', what: 'Who may refund.', anchors: ['pay/refund/*.go'] });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function opened(who, look) {
  const person = await browser.person(server, { look });
  const page = await person.open('/w/driftless/health');
  await person.signIn(page, who);
  await page.getByRole('heading', { name: 'What needs care' }).waitFor();
  return { person, page };
}

test('without a repository the page says how files become known', async () => {
  const { person, page } = await opened(server.people.owner);
  await page.getByText('No files are known yet').waitFor();
  await page.getByText('driftless sync', { exact: true }).waitFor();
  await person.screenshot(page, 'health-no-files', { fullPage: true });
  await person.assertAccessible(page, 'health-no-files');
  await person.close();
});

for (const look of looks) {
  test(`what needs care and what is covered show, and are accessible: ${look.name}`, async () => {
    await owner.call('POST', '/sources/sync', syncOf(tree));
    const { person, page } = await opened(server.people.owner, look);
    await page.getByText('covered by Knowledge').waitFor();
    await page.getByRole('button', { name: /^Without an area/ }).click();
    await page.getByRole('link', { name: 'The new queue', exact: true }).waitFor();
    await person.screenshot(page, 'health', { fullPage: true });
    await person.assertAccessible(page, 'health');
    await person.close();
  });
}

const tree = {
  'README.md': 1,
  'pay/charge/charge.go': 9,
  'pay/charge/retry.go': 4,
  'pay/refund/refund.go': 2,
  'pay/ledger/ledger.go': 30,
  'pay/ledger/entry.go': 12,
  'web/index.ts': 3,
};

test('coverage is walked folder by folder with the keyboard, and the gaps are named', async () => {
  await owner.call('POST', '/sources/sync', syncOf(tree));
  const { person, page } = await opened(server.people.owner);
  const pay = page.getByRole('link', { name: 'pay/' });
  await pay.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/path=pay/);
  const row = (name) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  await row('charge/').getByText('2 of 2 files').waitFor();
  await row('refund/').getByText('Notes: 1').waitFor();
  await row('ledger/').getByText('0 of 2 files').waitFor();
  await page.getByText('42 changes').waitFor();
  await page.getByRole('navigation', { name: 'Folder' }).getByRole('link', { name: /acme\/shop/ }).click();
  await page.getByRole('link', { name: 'web/' }).waitFor();
  await person.close();
});

test('superseded Knowledge is archived where it is found, and comes back', async () => {
  const { person, page } = await opened(server.people.owner);
  await page.getByRole('button', { name: /^Superseded/ }).click();
  const archive = page.getByRole('button', { name: 'Archive: The old queue' });
  await archive.click();
  await page.getByText('“The old queue” is archived.').waitFor();
  await archive.waitFor({ state: 'detached' });
  assert.equal((await owner.call('GET', `/topics/${superseded}`)).status, 'archived');
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('“The old queue” is back.').waitFor();
  // What comes back has to be approved again.
  assert.equal((await owner.call('GET', `/topics/${superseded}`)).status, 'proposed');
  await person.close();
});

test('a topic that nobody filed leads to its editor', async () => {
  const { person, page } = await opened(server.people.owner);
  await page.getByRole('button', { name: /^Without an area/ }).click();
  await page.getByRole('link', { name: 'Edit: The new queue' }).click();
  await page.getByRole('heading', { name: 'Suggest an edit' }).waitFor();
  await person.close();
});
