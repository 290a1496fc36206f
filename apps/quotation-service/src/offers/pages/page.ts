import { createHash } from 'node:crypto';
import { wordsOf, type Language } from '../../wording/languages.ts';
import { Html, html } from '../../wording/html.ts';
import { pageStyle } from './page-style.ts';

/** What a page is made of. */
export interface Page {
  readonly language: Language;
  readonly title: string;
  /** One after the other. */
  readonly content: Iterable<Html>;
}

// Browsers hash the whole contents of the element: a further space would disable the style.
const style = new Html(`<style>${pageStyle}</style>`);
const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** The headers of every page: no scripts, no loading, no referrer. ASVS 5.0, 3.4. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Language',
};

/** Writes a page part by part, each when it is requested. */
export function* writePage({ language, title, content }: Page): Generator<string, void> {
  const [begin = '', end = ''] = frame(language, title).text.split(contentMark);
  yield begin;
  for (const part of content) yield part.text;
  yield end;
}

/** Marks the place of the content; does not occur in escaped text. */
const contentMark = '<!-- content -->';

const frame = (language: Language, title: string): Html =>
  html`<!doctype html>
    <html lang="${wordsOf(language).locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${new Html(contentMark)}</main>
      </body>
    </html> `;
