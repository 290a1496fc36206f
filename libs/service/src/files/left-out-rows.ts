import { byteOrderMark, csvText } from '../archive/csv.ts';
import type { FileRow } from './file-rows.ts';

/** How much of the rows that are left out is kept. */
const charactersMax = 16 * 1024 * 1024;

/** Rows that are left out, as they are in their file, with the reason of each: once mended, they are imported like any other. */
export class LeftOutRows {
  readonly #names: readonly string[];
  #text = '';
  #characters = 0;
  #rows = 0;
  #isBegun = false;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  add(
    { cells, line }: FileRow,
    reasons: readonly { readonly field: string; readonly message: string }[],
  ): void {
    if (this.#characters > charactersMax) return;
    const reason = reasons.map(({ field, message }) => `${field} ${message}`).join('; ');
    // In front, where they stand in the same place however many cells a row has.
    const rows = [[String(line), reason, ...cells]];
    const names = this.#names.length > 0 ? this.#names : cells.map((_, n) => String(n + 1));
    if (!this.#isBegun) rows.unshift(['Line', 'Reason', ...names]);
    const text = (this.#isBegun ? '' : byteOrderMark) + storable(csvText(rows));
    this.#isBegun = true;
    this.#text += text;
    this.#characters += text.length;
    this.#rows += 1;
  }

  /** What was added since the last time. */
  take(): { readonly text: string; readonly rows: number } {
    const taken = { text: this.#text, rows: this.#rows };
    [this.#text, this.#rows] = ['', 0];
    return taken;
  }
}

/** Without what PostgreSQL cannot store. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
