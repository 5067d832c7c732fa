import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { LanguageProvider } from '../i18n';
import { StepUp } from './StepUp';

// The browser resolves addresses against the page; Node's Request wants whole ones.
const { api, ok } = await vi.hoisted(async () => {
  const Whole = globalThis.Request;
  globalThis.Request = class extends Whole {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, 'http://localhost/') : input, init);
    }
  };
  return import('../api/client');
});

const person = { id: 'p', name: 'Ada', email: 'ada@ledger.example', has_password: true };
const session = { csrf_token: 'old', signed_in_at: '', person, workspaces: [] };
const tooOld = {
  code: 'SESSION_TOO_OLD',
  message: 'this needs a sign-in from the last 15 minutes',
};

interface Sent {
  call: string;
  csrf: string | null;
  body: string;
}

let sent: Sent[];
let proven: boolean;

const answer = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

async function server(request: Request): Promise<Response> {
  const call = `${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`;
  const body = await request.text();
  if (call === 'GET /session') return answer(200, session);
  if (call.startsWith('GET ')) return answer(200, { results: [] });
  sent.push({ call, csrf: request.headers.get('x-csrf-token'), body });
  if (call === 'POST /session/step-up') {
    if (!body.includes('right')) return answer(401, { code: 'UNAUTHENTICATED', message: 'no' });
    proven = true;
    return answer(200, { ...session, csrf_token: 'renewed' });
  }
  return proven ? answer(200, { redirect_to: 'https://id.example/' }) : answer(401, tooOld);
}

// The dialog is a chunk of its own; the tests are not about how long it takes to load.
beforeAll(() => import('./StepUpDialog'), 30_000);

beforeEach(() => {
  sent = [];
  proven = false;
  vi.stubGlobal('fetch', server);
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <QueryClientProvider client={new QueryClient()}>
          <StepUp />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const link = () =>
  ok<{ redirect_to: string }>(
    api.POST('/identities', { body: { provider: 'work', return_to: '/account' } }),
  );

async function enter(password: string): Promise<void> {
  const field = await screen.findByLabelText('Password', {}, { timeout: 4_000 });
  fireEvent.change(field, { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
}

it('sends the same request again once the person has proven who they are', async () => {
  const asked = link();
  await enter('right');
  expect(await asked).toEqual({ redirect_to: 'https://id.example/' });
  expect(sent.map(({ call }) => call)).toEqual([
    'POST /identities',
    'POST /session/step-up',
    'POST /identities',
  ]);
  expect(sent[2]?.body).toBe(sent[0]?.body);
  expect(sent[2]?.csrf).toBe('renewed');
});

it('asks once for requests that wait together', async () => {
  const both = Promise.all([link(), link()]);
  await enter('right');
  await both;
  expect(sent.filter(({ call }) => call === 'POST /session/step-up')).toHaveLength(1);
});

it('stays open on a wrong password, and lets the request fail when the person says no', async () => {
  const asked = link().catch((error: unknown) => error);
  await enter('wrong');
  await screen.findByText('This is not your current password.');
  fireEvent.keyDown(screen.getByLabelText('Password'), { key: 'Escape' });
  expect(await asked).toMatchObject({ code: 'SESSION_TOO_OLD' });
  expect(sent.filter(({ call }) => call === 'POST /identities')).toHaveLength(1);
});
