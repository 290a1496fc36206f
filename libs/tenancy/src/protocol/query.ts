// @ts-expect-error -- pg does not declare it; the values of a statement have to become what pg itself makes of them
import utils from 'pg/lib/utils.js';
import type { Field, RowForm } from './row-reader.ts';

/** One statement, as it goes to PostgreSQL. */
export interface Query {
  /** It is prepared under this name, once for each connection. */
  readonly name?: string | undefined;
  /** By which it is timed and traced: a name that stands in the code. */
  readonly label?: string | undefined;
  readonly text: string;
  /** As {@link valuesOf} gives them. */
  readonly values?: readonly Value[] | undefined;
  /** Default: {@link plainForm}. */
  readonly form?: RowForm | undefined;
}

/** A value as it is sent: text, bytes or nothing. */
export type Value = string | Buffer | null;

/** PostgreSQL's response to one statement. */
export interface Answer {
  readonly rows: unknown[];
  readonly fields: readonly Field[];
  /** How many rows it gave or changed. */
  readonly rowCount: number;
  /** The command that was carried out, as `INSERT`. */
  readonly command: string;
  /** The error of reading its rows, if there was one. */
  readonly unreadable?: Error | undefined;
}

const { prepareValue } = utils as { readonly prepareValue: (value: unknown) => Value };

/**
 * Converts values to the form that is sent, as `pg` does.
 *
 * @throws for a value that has no text, such as an object that contains itself
 */
export function valuesOf(values: readonly unknown[]): Value[] {
  return values.map((value) => prepareValue(value));
}

/**
 * A result whose rows could be read.
 *
 * @throws the reason why they could not
 */
export function readable(answer: Answer | undefined): Answer {
  if (!answer) throw new Error('A statement was not answered.');
  if (answer.unreadable) throw answer.unreadable;
  return answer;
}
