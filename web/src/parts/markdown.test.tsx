import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { LanguageProvider } from '../i18n';
import MarkdownView from './MarkdownView';
import { splitMentions } from './mentions';

afterEach(cleanup);

function show(text: string): HTMLElement {
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  return render(
    <RouterContextProvider router={router as never}>
      <LanguageProvider>
        <MarkdownView text={text} workspace="acme" />
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

describe('headings of a topic', () => {
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
