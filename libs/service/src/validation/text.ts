import { composed, isVisible, lowerAscii } from '@tenantry/text';
import type { Ajv } from 'ajv';
import { replaceText } from './replace-text.ts';

/**
 * What a text may hold: one line, several lines (line breaks and tabs stand), or one word in which no case of ASCII letters
 * matters. Other letters of a word stay: to fold U+212A into k would make two addresses of one.
 */
export type TextKind = 'line' | 'lines' | 'lowercase';

/** Control characters (Unicode's Cc) that a kind of text refuses; DEL and the C1 controls are among them. */
const refused: Readonly<Record<TextKind, RegExp>> = {
  line: /\p{Cc}/u,
  lines: /(?![\t\n\r])\p{Cc}/u,
  lowercase: /\p{Cc}/u,
};

/** Text as it is stored: trimmed and {@link composed}. A text without visible characters is blank. */
export function tidy(text: string, kind: TextKind): string {
  const trimmed = text.trim();
  if (kind === 'lowercase') return lowerAscii(trimmed);
  if (!isVisible(trimmed) && !refused[kind].test(trimmed)) return '';
  return composed(trimmed);
}

/** Teaches Ajv the keyword `text`: normalizes before any other rule applies, so that limits apply to the stored text. */
export function addTextKeyword(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: 'text',
    type: 'string',
    schemaType: 'string',
    metaSchema: { enum: Object.keys(refused) },
    modifying: true,
    before: 'maxLength',
    errors: false,
    compile: (kind: TextKind) => (text: string, place) => {
      const tidied = tidy(text, kind);
      if (tidied !== text) replaceText(place, tidied);
      return !refused[kind].test(tidied);
    },
  });
}

/** Without a NUL, which PostgreSQL cannot store, and half a surrogate pair, which UTF-8 cannot carry. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether every text in a value can be stored as it is. The value's depth is bounded by its closed schema. */
export function isAllStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value) {
    if (!isAllStorable((value as Readonly<Record<string, unknown>>)[key])) return false;
  }
  return true;
}

/** Calls `report` with the keys that lead to each text that cannot be stored, in a value of any depth. */
export function findUnstorableTexts(root: unknown, report: (keys: () => string[]) => void): void {
  const open: (readonly [value: unknown, way: Way | undefined])[] = [[root, undefined]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, way] = next;
    if (typeof value === 'string') {
      if (!isStorable(value)) report(() => keysAlong(way));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value).reverse()) open.push([child, { key, from: way }]);
    }
  }
}

/** The way to a value, shared between neighbours. */
interface Way {
  readonly key: string;
  readonly from: Way | undefined;
}

function keysAlong(way: Way | undefined): string[] {
  const keys: string[] = [];
  for (let step = way; step; step = step.from) keys.push(step.key);
  return keys.reverse();
}
