// Solutions of a topic: answers for an environment, reports and their state, clearing, failed attempts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';

let server, browser, owner, admin, member;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  [owner, admin, member] = await Promise.all(
    ['owner', 'admin', 'member'].map((role) => signIn(server, server.people[role])),
  );
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const linux = { os: 'linux', runtime: 'node-22' };

/** A topic with an answer for Linux and one for macOS. */
async function problem(title) {
  return owner.reviewed({
    title,
    what: 'The import fails with a module that is not found.',
    solutions: [
      {
        id: 'linux',
        env: linux,
        fix: ['Remove `node_modules`.', 'Install again with `npm ci`.'],
        verify: 'npm test',
        boundaries: ['Workspaces with their own lock file.'],
      },
      { id: 'macos', env: { os: 'macos' }, fix: ['Reinstall the command line tools.'] },
    ],
  });
}

const report = (api, slug, outcome, reason) =>
  api.call('POST', `/topics/${slug}/solutions/linux/feedback`, { revision: 1, outcome, env: linux, reason });

async function opened(who, slug, look) {
  const person = await browser.person(server, { look });
  const page = await person.open(`/w/driftless/t/${slug}?tab=solutions`);
  await person.signIn(page, who);
  await page.getByRole('combobox', { name: 'Operating system' }).waitFor();
  return { person, page };
}

const solution = (page, name) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

for (const look of looks) {
  test(`solutions show, and are accessible: ${look.name}`, async () => {
    const slug = await problem(`A module is not found, ${look.name}`);
    await report(admin, slug, 'failed', 'Still not found.');
    await report(member, slug, 'failed', 'Still not found.');
    await owner.call('POST', `/topics/${slug}/attempts`, {
      environment: { os: 'windows' },
      summary: 'Reinstalled everything',
      steps: ['Uninstall', 'Install'],
      reason: 'The same error.',
    });
    const { person, page } = await opened(server.people.owner, slug, look);
    await solution(page, 'linux, node-22').getByText('Fails', { exact: true }).waitFor();
    await person.screenshot(page, 'solutions', { fullPage: true });
    await person.assertAccessible(page, 'solutions');
    await page.getByRole('button', { name: 'It failed: macos' }).click();
    await page.getByLabel('What went wrong').waitFor();
    await person.screenshot(page, 'solutions-failed');
    await person.assertAccessible(page, 'solutions-failed');
    await person.close();
  });
}

test('a report is counted once, and taken back', async () => {
  const slug = await problem('Counted reports');
  const { person, page } = await opened(server.people.member, slug);
  const one = solution(page, 'linux, node-22');
  await one.getByText('Not tried yet').waitFor();
  await one.getByRole('button', { name: /^It worked/ }).click();
  await one.getByText('Worked for 1, failed for 0').waitFor();
  await one.getByText('Works', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await one.getByText('Worked for 0, failed for 0').waitFor();
  await one.getByRole('button', { name: /^It failed/ }).click();
  await page.getByLabel('What went wrong').fill('Still not found.');
  await page.getByRole('dialog').getByRole('button', { name: 'Report it' }).click();
  await one.getByText('In doubt').waitFor();
  await person.close();
});

test('steps that failed for two are shown on demand, and an owner says that they hold', async () => {
  const slug = await problem('Failing for two');
  await report(admin, slug, 'failed', 'Still not found.');
  await report(member, slug, 'failed', 'Still not found.');
  const { person: other, page: theirs } = await opened(server.people.member, slug);
  await solution(theirs, 'linux, node-22').getByText('failed for 2 people').waitFor();
  assert.equal(await theirs.getByRole('button', { name: /^Say that it holds/ }).count(), 0);
  await other.close();
  const { person, page } = await opened(server.people.owner, slug);
  const one = solution(page, 'linux, node-22');
  assert.equal(await one.getByText('Install again').count(), 0);
  await one.getByRole('button', { name: 'Show the steps' }).click();
  await one.getByText('Install again').waitFor();
  await one.getByRole('button', { name: /^Say that it holds/ }).click();
  await page.getByLabel('Why it holds again').fill('The registry was down.');
  await page.getByRole('dialog').getByRole('button', { name: 'Say that it holds' }).click();
  await one.getByText('Holds again').waitFor();
  await one.getByText('The registry was down.').waitFor();
  await person.close();
});

test('what applies where somebody is comes first; where nothing does, what failed is told', async () => {
  const slug = await problem('Where nothing applies');
  const { person, page } = await opened(server.people.member, slug);
  await page.getByRole('combobox', { name: 'Operating system' }).fill('macos');
  await solution(page, 'linux, node-22').waitFor({ state: 'detached' });
  await solution(page, 'macos').waitFor();
  await page.getByRole('combobox', { name: 'Operating system' }).fill('windows');
  await page.getByText('No working solution is known for windows.').waitFor();
  await page.getByRole('button', { name: 'Tell what you tried in vain' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What you tried').fill('Reinstalled everything');
  await dialog.getByLabel('Steps').fill('Uninstall\n\nInstall');
  await dialog.getByLabel('What went wrong').fill('The same error.');
  await dialog.getByRole('button', { name: 'Report it' }).click();
  await page.getByRole('region', { name: 'Tried in vain' }).getByText('Reinstalled everything').waitFor();
  await person.close();
});
