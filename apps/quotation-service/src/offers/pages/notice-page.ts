import type { Language } from '../../wording/languages.ts';
import { html, type Html } from '../../wording/html.ts';
import { pageWordsOf } from './page-words.ts';
import { writePage } from './page.ts';

/** The notice at the top of a page. */
export interface Notice {
  readonly tone: 'good' | 'plain' | 'warn';
  readonly heading: string;
  readonly text: string;
}

/** Writes a notice. */
export const noticeBlock = ({ tone, heading, text }: Notice): Html =>
  html`<div class="notice ${tone}" role="status"><strong dir="auto">${heading}</strong>${text}</div>`;

/** The page of an invalid link, whatever the reason. */
export function unknownLinkPage(language: Language): string {
  const { unknown, unknownText } = pageWordsOf(language);
  return noticePage(language, { tone: 'warn', heading: unknown, text: unknownText });
}

/** The page shown while the service is unavailable. */
export function unavailablePage(language: Language): string {
  const { unavailable, unavailableText } = pageWordsOf(language);
  return noticePage(language, { tone: 'warn', heading: unavailable, text: unavailableText });
}

const noticePage = (language: Language, notice: Notice): string =>
  [...writePage({ language, title: notice.heading, content: [noticeBlock(notice)] })].join('');
