import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Relations } from '../api/types';
import { LanguageProvider } from '../i18n';
import { KnownTopics } from './KnownTopics';
import MarkdownView from './MarkdownView';
import { splitMentions } from './mentions';

afterEach(cleanup);

const relations: Relations = {
  outgoing: [],
  incoming: [],
  mentions: [
    { slug: 'cents', title: 'Whole cents' },
    { slug: 'nobody', dead: true },
  ],
  mentioned_by: [],
};

function show(text: string, title?: string): HTMLElement {
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  return render(
    <RouterContextProvider router={router as never}>
      <LanguageProvider>
        <KnownTopics relations={relations}>
          <MarkdownView text={text} title={title} workspace="acme" />
        </KnownTopics>
      </LanguageProvider>
    </RouterContextProvider>,
  ).container;
}

describe('topic text', () => {
  it('shows HTML as the text it is', () => {
    const page = show('before <b onclick="x()">bold</b>\n\n<script>alert(1)</script>');
    expect(page.querySelector('script, b, [onclick]')).toBeNull();
    expect(page.textContent).toContain('<script>alert(1)</script>');
  });

  it.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', 'vbscript:x'])(
    'takes the address away from a link to %s',
    (address) => {
      const link = show(`[click](${address})`).querySelector('a');
      expect(link?.getAttribute('href') ?? '').toBe('');
    },
  );

  it('never loads an image', () => {
    const page = show('![pixel](https://elsewhere.example/p.png)');
    expect(page.querySelector('img')).toBeNull();
    expect(page.querySelector('a')?.getAttribute('rel')).toContain('noreferrer');
  });

  it('links mentions to their topic, except in code and links', () => {
    show('see [[http-timeouts]], not `[[code]]` and not [a [[link]]](https://x.example)');
    const links = screen.getAllByRole('link').map((a) => a.getAttribute('href'));
    expect(links).toEqual(['/w/acme/t/http-timeouts', 'https://x.example']);
  });
});

describe('a mention', () => {
  it('has the title of its topic, and says when there is none', () => {
    const page = show('see [[cents]], [[nobody]] and [[unknown]]');
    expect(screen.getAllByRole('link').map((a) => a.textContent)).toEqual([
      'Whole cents',
      'unknown',
    ]);
    expect(page.textContent).toContain('nobody (no such topic)');
  });
});

describe('headings of a topic', () => {
  it('leave out a first one that repeats the title, and no other', () => {
    const page = show('# How `we`  retry\n\n## How we retry\n\ntext', 'How we retry');
    expect([...page.querySelectorAll('h3,h4')].map((h) => h.textContent)).toEqual(['How we retry']);
    expect(show('text\n\n# Title', 'Title').querySelector('h3')).not.toBeNull();
  });

  it('start below the page’s own and keep their distance', () => {
    const page = show('## First\n\n#### Deeper\n\n###### Deepest');
    expect([...page.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((h) => h.tagName)).toEqual([
      'H3',
      'H5',
      'H6',
    ]);
  });
});

describe('splitMentions', () => {
  it('keeps every character around the mentions', () => {
    expect(splitMentions('a [[b]][[c-1]] d')).toEqual([
      { text: 'a ' },
      { slug: 'b' },
      { slug: 'c-1' },
      { text: ' d' },
    ]);
  });

  it('leaves what is no slug alone', () => {
    expect(splitMentions('[[Not A Slug]] [[-x]] [[]]')).toEqual([
      { text: '[[Not A Slug]] [[-x]] [[]]' },
    ]);
  });
});
