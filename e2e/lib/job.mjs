// The main job, for any client: connect, read before you touch, leave a note, and have a person make it Knowledge.
import assert from 'node:assert/strict';

const task = 'Add a table: what does row-level security need?';
const files = ['internal/pg/tx.go'];

/** Opens the client's sign-in in the browser, allows everything, and answers the page that asked. */
export async function connect({ person, client, owner, shot }) {
  const page = await person.open(await client.authorizeURL());
  await person.signIn(page, owner);
  await page.getByRole('heading', { name: `Connect ${client.name}?` }).waitFor();
  for (const box of await page.getByRole('checkbox').all()) assert.ok(await box.isChecked());
  if (shot) await person.screenshot(page, `job-consent-${shot}`, { fullPage: true });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Signed in. You can close this page.').waitFor();
  const ready = await client.ready();
  assert.equal(ready.server, 'driftless');
  for (const tool of ['retrieve', 'get', 'propose', 'approve']) {
    assert.ok(ready.tools.includes(`driftless_context_${tool}`), ready.tools.join(' '));
  }
  await page.close();
  return ready;
}

/** By task and by file, each answer saying why it is there. */
export async function readBeforeYouTouch({ client }, asked = { task, files }) {
  const byTask = await client.call('driftless_context_retrieve', { task: asked.task });
  assert.ok(byTask.results.length > 0, 'nothing is known about the task');
  for (const topic of byTask.results) {
    assert.ok(
      topic.why_matched.some((why) => why === 'title' || /^(text|semantic|relation):?/.test(why)),
      `${topic.slug} by task: ${topic.why_matched}`,
    );
    assert.ok(['reviewed', 'proposed', 'draft'].includes(topic.trust));
  }
  for (const [tool, args] of [
    ['driftless_context_retrieve', { files: asked.files }],
    ['driftless_context_get_for_files', { files: asked.files }],
  ]) {
    const byFiles = await client.call(tool, args);
    assert.ok(byFiles.results.length > 0, `${tool} knows nothing about ${asked.files}`);
    assert.ok(
      byFiles.results.some(({ why_matched: why }) => asked.files.some((file) => why.some((one) => isAbout(one, file)))),
      `${tool}: no reason names ${asked.files}`,
    );
    for (const { slug, why_matched: why } of byFiles.results) {
      // Beside what is about the files stands what that is related to.
      assert.ok(why.some((one) => /^(anchor|symbol|relation):/.test(one)), `${slug} by ${tool}: ${why}`);
    }
  }
}

/** Says whether a reason is an anchor that matches the file, or a symbol in it. */
function isAbout(why, file) {
  return (why.startsWith('anchor:') && why.endsWith(` ~ ${file}`)) || why.startsWith(`symbol:${file}#`);
}

/** Leaves a note and asks for review; answers its slug. */
export async function writeBack({ client }, { title, content, anchors }) {
  const note = await client.call('driftless_note_add', { title, content, anchors });
  assert.equal(note.trust, 'draft');
  assert.equal(note.is_private, true);
  const proposed = await client.call('driftless_context_propose', { topic: note.slug, message: 'Found while testing.' });
  assert.equal(proposed.trust ?? proposed.topic?.trust, 'proposed');
  return note.slug;
}

/** Asks for approval, which a person gives in the browser and nobody else; the client then reads Knowledge. */
export async function haveApproved({ person, client, server, shot }, slug, title) {
  const asked = await client.call('driftless_context_approve', { topic: slug });
  assert.equal(asked.status, 'awaiting_confirmation');
  assert.ok(asked.confirm_url.startsWith(`${server.url}/confirm/`), asked.confirm_url);
  const before = await client.call('driftless_context_get', { topic: slug });
  assert.equal(before.trust, 'proposed', 'asking alone changed nothing');

  const page = await person.open(asked.confirm_url);
  await page.getByRole('heading', { name: 'Approve as Knowledge' }).waitFor();
  await page.getByText(title).first().waitFor();
  if (shot) await person.screenshot(page, `job-confirm-${shot}`, { fullPage: true });
  await page.getByRole('button', { name: 'Approve this text' }).click();
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
  await page.close();

  const after = await client.call('driftless_context_get', { topic: slug });
  assert.equal(after.trust, 'reviewed');
  assert.equal(after.governance.approved_via, 'console');
  assert.equal(after.content_hash, before.content_hash, 'what was read is what was approved');
}
