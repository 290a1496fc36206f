import { setImmediate } from 'node:timers/promises';
import type { QuoteDocument } from './quote-document.ts';

// A quote of 50,000 lines has up to 16 MB of JSON: in one piece, each step would hold up all other requests for a second.

/** Control characters are escaped in JSON, so this one is in none. */
const separator = String.fromCharCode(30);

/** The parts of a text that a statement has joined with `chr(30)`, parsed one by one: other requests run in between. */
export async function parseInTurns<Part>(text: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const part of text === '' ? [] : text.split(separator)) {
    parts.push(JSON.parse(part) as Part);
    await setImmediate();
  }
  return parts;
}

/** The JSON of a document, made package by package. */
export async function jsonInTurns({ workPackages, ...head }: QuoteDocument): Promise<string> {
  const packages: string[] = [];
  for (const workPackage of workPackages) {
    packages.push(JSON.stringify(workPackage));
    await setImmediate();
  }
  return `${JSON.stringify(head).slice(0, -1)},"workPackages":[${packages.join(',')}]}`;
}

/** The JSON of an answer, written package by package, given it without packages. */
export async function* answerInTurns<WorkPackage>(
  answer: string,
  workPackages: readonly WorkPackage[],
  write: (workPackage: WorkPackage) => string,
): AsyncGenerator<string, void> {
  // Quotation marks are escaped in texts, so it is there once.
  const [before = '', after = ''] = answer.split('"workPackages":[]');
  yield `${before}"workPackages":[`;
  for (const [index, workPackage] of workPackages.entries()) {
    yield `${index > 0 ? ',' : ''}${write(workPackage)}`;
    await setImmediate();
  }
  yield `]${after}`;
}
