import pg from 'pg';

/** A column of an answer, as PostgreSQL describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The columns of one row as they come from PostgreSQL. */
export type RawRow = readonly (string | null)[];

/** How the rows of a result are converted. */
export interface RowForm {
  readonly as: 'objects' | 'arrays';
  /** Parses the text of a value. */
  parserOf(dataTypeID: number): (text: string) => unknown;
}

const plainParserOf = pg.types.getTypeParser as (dataTypeID: number) => (text: string) => unknown;

/** Objects whose values are those that `pg` makes: times are `Date`. */
export const plainForm: RowForm = {
  as: 'objects',
  parserOf: plainParserOf,
};

const timestampWithTimeZone = 1184;

/** The same, with times as the text that `Date.toISOString()` gives: made of PostgreSQL's own text, without a `Date`. */
export const isoTimesForm: RowForm = {
  as: 'objects',
  parserOf: (dataTypeID) => (dataTypeID === timestampWithTimeZone ? isoTime : plainParserOf(dataTypeID)),
};

/** Reads the rows of one kind of answer. */
export class RowReader {
  readonly fields: readonly Field[];
  readonly #names: readonly string[];
  readonly #parsers: readonly ((text: string) => unknown)[];
  readonly #isArray: boolean;
  /** Copied for each row, so that all rows have one shape. */
  readonly #emptyRow: Record<string, unknown>;

  constructor(fields: readonly Field[], form: RowForm) {
    this.fields = fields;
    this.#names = fields.map(({ name }) => name);
    this.#parsers = fields.map(({ dataTypeID }) => form.parserOf(dataTypeID));
    this.#isArray = form.as === 'arrays';
    this.#emptyRow = Object.fromEntries(fields.map(({ name }) => [name, null]));
  }

  read(raw: RawRow): unknown {
    return this.#isArray ? raw.map((text, i) => this.#valueOf(text, i)) : this.#objectOf(raw);
  }

  #objectOf(raw: RawRow): Record<string, unknown> {
    const row = { ...this.#emptyRow };
    for (let i = 0; i < raw.length; i += 1) {
      const text = raw[i] ?? null;
      if (text !== null) row[this.#names[i] ?? ''] = this.#valueOf(text, i);
    }
    return row;
  }

  #valueOf(text: string | null, i: number): unknown {
    return text === null ? null : this.#parsers[i]?.(text);
  }
}

/** An answer without columns: a command that returns no rows. */
export const noRows = new RowReader([], plainForm);

const withSeconds = '2026-11-23 12:34:56+00'.length;
const dateEnds = '2026-11-23'.length;
const secondsEnd = '2026-11-23 12:34:56'.length;

/** Turns a time as PostgreSQL writes it in UTC into what `Date.toISOString()` writes; any other by way of a `Date`. */
export function isoTime(text: string): string {
  const isCommon = text.endsWith('+00') && text[dateEnds] === ' ' && text[secondsEnd] !== '-';
  if (!isCommon || text.length < withSeconds) return isoTimeByDate(text);
  const milliseconds = text.slice(secondsEnd + 1, -'+00'.length).slice(0, 3);
  return `${text.slice(0, dateEnds)}T${text.slice(dateEnds + 1, secondsEnd)}.${milliseconds.padEnd(3, '0')}Z`;
}

function isoTimeByDate(text: string): string {
  const time = plainParserOf(timestampWithTimeZone)(text);
  return time instanceof Date ? time.toISOString() : text;
}
