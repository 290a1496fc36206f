import { page } from 'vitest/browser';
import { languages, type Language, type Words } from '../../src/design/language.ts';

/** No language that we speak has this letter: what has it came from the words. */
const mark = 'ẽ';

/** A text as a language might have it that needs 1.6 times the room: it begins as it did, and so tests still find it. */
export function stretch(text: string): string {
  const missing = Math.ceil(text.length * 0.6);
  if (text === '') return text;
  const isPhrase = /\s/.test(text);
  const padding = Array.from({ length: missing }, (_, n) => (isPhrase && n % 8 === 0 ? ' ' : mark));
  return text + padding.join('') + (isPhrase ? mark : '');
}

/** Stretches texts, and what functions make of their arguments. */
function stretchAll(texts: unknown): unknown {
  if (typeof texts === 'string') return stretch(texts);
  if (typeof texts === 'function') {
    const tell = texts as (...given: unknown[]) => unknown;
    return (...given: unknown[]) => stretchAll(tell(...given));
  }
  if (Array.isArray(texts)) return texts.map(stretchAll);
  if (typeof texts !== 'object' || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, inner]) => [name, stretchAll(inner)]));
}

/** Has every noun say what it says in longer words, in this file of tests. */
export function stretchWords(): void {
  const modules = import.meta.glob<Record<string, Words<unknown>>>('../../src/**/*.words.ts', {
    eager: true,
  });
  for (const words of Object.values(modules).flatMap((module) => Object.values(module))) {
    const load = words.load.bind(words);
    const stretched = new Map(languages.map((language) => [language, load(language).then(stretchAll)]));
    // Not a spy, which a test may restore.
    Object.assign(words, { load: (language: Language) => stretched.get(language) ?? load(language) });
  }
  expectLongNames();
}

/** Has tests that ask for an exact name find it in its longer form. */
function expectLongNames(): void {
  const [getByRole, getByLabelText] = [page.getByRole.bind(page), page.getByLabelText.bind(page)];
  const longer = <Name extends string | RegExp | undefined>(name: Name, exact = false) =>
    exact && typeof name === 'string' ? stretch(name) : name;
  const changed: Pick<typeof page, 'getByRole' | 'getByLabelText'> = {
    getByRole: (role, { name, ...options } = {}) =>
      getByRole(role, { ...options, ...(name !== undefined && { name: longer(name, options.exact) }) }),
    getByLabelText: (label, options) => getByLabelText(longer(label, options?.exact), options),
  };
  Object.assign(page, changed);
}

const wordsIn = (text: string): string[] => text.match(/\p{L}{2,}/gu) ?? [];

/** What dates, amounts and spans of time are written with. */
function formattedWords(): string[] {
  const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 15));
  const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' });
  const short = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
  const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
  const spans = (['day', 'hour', 'minute'] as const).flatMap((unit) =>
    [0, -1, -2].map((count) => relative.format(count, unit)),
  );
  const texts = [...months.flatMap((month) => [long.format(month), short.format(month)]), ...spans];
  const currencies = Intl.supportedValuesOf('currency').flatMap((currency) => [
    currency,
    new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(0),
  ]);
  return [...texts, ...currencies].flatMap(wordsIn);
}

const formatted = new Set(formattedWords());
/** Our name, and keys as they are printed. */
const names = new Set(['Tenantry', 'Ctrl', 'Esc', 'Enter']);

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Texts on the page that neither came from the words nor from the API. @param data what it answered, and what was typed */
export function fixedTexts(data: unknown): string[] {
  const given = new Set(textsIn(data).flatMap(wordsIn));
  const isKnown = (word: string) => given.has(word) || formatted.has(word) || names.has(word);
  return shownTexts().filter((text) => !text.includes(mark) && !wordsIn(text).every(isKnown));
}

/** Attributes that are shown or read out. */
const spoken = ['aria-label', 'alt', 'title', 'placeholder'];

function shownTexts(): string[] {
  const shown = [...document.body.querySelectorAll('*')].filter(
    // What the browser names itself: currencies, countries, zones.
    (element) => element.checkVisibility() && !element.matches('select:has(> :nth-child(9)) > option'),
  );
  return shown.flatMap((element) => [
    ...spoken.map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes].map((node) =>
      node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '',
    ),
  ]);
}

/** Texts that are longer than what they are in, and are cut off there. */
export function cutTexts(): string[] {
  return [...document.body.querySelectorAll('*')]
    .filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isCut = ['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis';
      return isCut && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
    })
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '');
}
