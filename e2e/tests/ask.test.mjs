// Ask: a question, an answer with its sources, and what is done with it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { looks, startBrowser } from '../lib/browser.mjs';
import { signIn } from '../lib/rest.mjs';
import { startServer } from '../lib/server.mjs';
import { fillStage } from '../lib/stage.mjs';

let server, browser, owner, stage;

before(async () => {
  [server, browser] = await Promise.all([startServer({ demo: true }), startBrowser()]);
  owner = await signIn(server, server.people.owner);
  stage = await fillStage(server);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function opened(look = looks[0], search = '') {
  const person = await browser.person(server, { look });
  const page = await person.open(`/w/driftless/ask${search}`);
  await person.signIn(page, server.people.owner);
  await page.getByRole('heading', { name: 'Ask', level: 1 }).waitFor();
  return { person, page };
}

for (const look of looks) {
  test(`a question has an answer with its sources, and it is accessible: ${look.name}`, async () => {
    const { person, page } = await opened(look, '?q=How long does the bank keep an idempotency key of a payout?');
    await page.getByText('Passages word for word').waitFor();
    await page.getByRole('link', { name: 'Idempotency keys for payouts', exact: true }).waitFor();
    await person.screenshot(page, 'ask', { fullPage: true });
    await person.assertAccessible(page, 'ask');
    await person.close();
  });
}

test('a question is asked with Enter, its answer kept as a private note that names its sources', async () => {
  const { person, page } = await opened();
  await page.getByLabel('Question').fill('How long does the bank keep an idempotency key?');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sources' }).waitFor();
  await page.waitForURL(/q=How/);
  await page.getByRole('button', { name: 'Save as a private note' }).click();
  await page.getByRole('link', { name: 'The note is saved. Open it.' }).click();
  await page.waitForURL(/\/t\/how-long/);
  const note = await owner.call('GET', '/topics/how-long-does-the-bank-keep-an-idempotency-key?view=full');
  assert.ok(note.is_private);
  assert.ok(note.references.includes(stage.knowledge), String(note.references));
  await person.close();
});

test('what nobody wrote down is said to be so, and notes count when they are let', async () => {
  const { person, page } = await opened();
  await page.getByLabel('Question').fill('Which zebra paints the moon?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('Nothing here answers that').waitFor();
  await person.screenshot(page, 'ask-nothing');
  await person.assertAccessible(page, 'ask-nothing');
  await page.getByLabel('Answer from').selectOption('proposed');
  await page.getByLabel('Question').fill('What does a client do that loses the answer of the token endpoint?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('link', { name: 'Retry the token endpoint once', exact: true }).waitFor();
  await person.close();
});

test('the page speaks Spanish, and the palette leads to it', async () => {
  const { person, page } = await opened();
  await page.evaluate(() => localStorage.setItem('driftless-language', 'es'));
  await page.goto(`${server.url}/w/driftless/knowledge`);
  await page.getByRole('heading', { name: 'Conocimiento', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Preguntar');
  await page.getByRole('button', { name: 'Preguntar', exact: true }).last().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Preguntar', level: 1 }).waitFor();
  await page.getByLabel('Pregunta', { exact: true }).fill('How long does the bank keep an idempotency key?');
  await page.keyboard.press('Enter');
  await page.getByText('Pasajes literales').waitFor();
  await person.screenshot(page, 'ask-es', { fullPage: true });
  await person.close();
});
