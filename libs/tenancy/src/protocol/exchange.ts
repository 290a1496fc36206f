import type { PoolClient, Submittable } from 'pg';
// @ts-expect-error -- pg does not declare it; the values of a statement have to become what pg itself makes of them
import utils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { noRows, plainForm, RowReader, type Field, type RawRow, type RowForm } from './row-reader.ts';

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

/** What PostgreSQL answers to one statement. */
export interface Answer {
  readonly rows: unknown[];
  readonly fields: readonly Field[];
  /** How many rows it gave or changed. */
  readonly rowCount: number;
  /** The command that was carried out, as `INSERT`. */
  readonly command: string;
  /** Why its rows could not be read, if they could not. */
  readonly unreadable?: Error | undefined;
}

/** How an exchange came out: the statements that were answered and, if not all were, why the next one was not. */
export interface Outcome {
  readonly answers: readonly Answer[];
  readonly error?: Error;
}

/**
 * An answer whose rows could be read.
 *
 * @throws the reason why they could not
 */
export function readable(answer: Answer | undefined): Answer {
  if (!answer) throw new Error('A statement was not answered.');
  if (answer.unreadable) throw answer.unreadable;
  return answer;
}

/** What is used of a connection of `pg`. */
interface PgConnection {
  readonly stream: { readonly writable: boolean; write(message: Buffer): void };
  /** Texts by the names under which they are prepared; kept by the client. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  sync(): void;
  sendCopyFail(reason: string): void;
}

const { prepareValue } = utils as { readonly prepareValue: (value: unknown) => Value };

/**
 * Turns values into what is sent, as `pg` does.
 *
 * @throws for a value that has no text, such as an object that contains itself
 */
export function valuesOf(values: readonly unknown[]): Value[] {
  return values.map((value) => prepareValue(value));
}

/** How the rows of named statements are read, by connection: each is described once, when it is prepared. */
const readers = new WeakMap<PgConnection, Map<string, RowReader>>();

/**
 * Sends statements to PostgreSQL with one Sync behind the last of them, in one packet. They take effect one after the other;
 * where one fails, PostgreSQL does nothing of those behind it. Outside of a transaction they are one together.
 *
 * `pg` sends a Sync with each statement, so that those behind one that failed are carried out all the same.
 *
 * @param answerMs how long the answer to all of them may take; after that the connection is of no use any more
 */
export function exchange(
  client: PoolClient,
  queries: readonly Query[],
  { answerMs }: { readonly answerMs: number },
): Promise<Outcome> {
  const sent = new Exchange(queries, answerMs);
  return new Promise((resolve) => {
    sent.callback = (error) => resolve({ answers: sent.answers, ...(error && { error }) });
    client.query(sent as unknown as Submittable);
  });
}

/** What `pg` sends and tells of what comes back: the interface that pg-cursor implements as well. */
class Exchange {
  callback: (error?: Error | null) => void = () => undefined;
  /** Read by the client. */
  readonly query_timeout: number;
  readonly queries: readonly Query[];
  readonly answers: Answer[] = [];
  #connection: PgConnection | undefined;
  #reader: RowReader | undefined;
  #rows: unknown[] = [];
  #unreadable: Error | undefined;

  constructor(queries: readonly Query[], answerMs: number) {
    this.queries = queries;
    this.query_timeout = answerMs;
  }

  /** The client keeps the text under the name once PostgreSQL has prepared it. */
  get name(): string | undefined {
    return this.queries[this.answers.length]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.answers.length]?.text;
  }

  submit(connection: PgConnection): Error | null {
    this.#connection = connection;
    const { parsedStatements } = connection;
    const parsed = new Set<string>();
    const reused = this.queries.find(
      ({ name = '', text }) => Object.hasOwn(parsedStatements, name) && parsedStatements[name] !== text,
    );
    if (reused) return new Error(`Another statement is prepared under the name ${reused.name ?? ''}.`);
    const messages: Buffer[] = [];
    for (const { name = '', text, values = [] } of this.queries) {
      if (name === '' || !(Object.hasOwn(parsedStatements, name) || parsed.has(name))) {
        messages.push(serialize.parse({ name, text }));
        parsed.add(name);
      }
      messages.push(serialize.bind({ statement: name, values: values as Value[] }));
      if (!this.#isDescribed(name)) messages.push(serialize.describe({ type: 'P' }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    // One call of the system for all: it costs more than all the rest.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages));
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#keepReader(new RowReader(fields, this.queries[this.answers.length]?.form ?? plainForm));
  }

  handleDataRow({ fields }: { readonly fields: RawRow }): void {
    if (this.#unreadable) return;
    try {
      this.#rows.push((this.#reader ??= this.#knownReader()).read(fields));
    } catch (error) {
      this.#unreadable = error as Error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // A description without columns is not told of.
    const reader = this.#reader ?? this.#readersByName()?.get(this.name ?? '') ?? this.#keepReader(noRows);
    const words = text.split(' ');
    const rowCount = Number(words.at(-1));
    this.answers.push({
      rows: this.#rows,
      fields: reader.fields,
      rowCount: Number.isNaN(rowCount) ? 0 : rowCount,
      command: words[0] ?? '',
      unreadable: this.#unreadable,
    });
    this.#rows = [];
    this.#reader = undefined;
    this.#unreadable = undefined;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleCopyInResponse(connection: PgConnection): void {
    connection.sendCopyFail('COPY is not supported.');
    // The Sync that was sent came while PostgreSQL read what is to be copied, and counts for nothing.
    connection.sync();
  }

  handleCopyData(): void {
    // COPY TO: nothing is kept of it.
  }

  #readersByName(): Map<string, RowReader> | undefined {
    return this.#connection && readers.get(this.#connection);
  }

  #isDescribed(name: string): boolean {
    return name !== '' && this.#readersByName()?.has(name) === true;
  }

  #knownReader(): RowReader {
    const reader = this.#readersByName()?.get(this.name ?? '');
    if (!reader) throw new Error('PostgreSQL sent rows that it has not described.');
    return reader;
  }

  #keepReader(reader: RowReader): RowReader {
    this.#reader = reader;
    const { name } = this;
    if (name !== undefined && this.#connection) {
      const known = this.#readersByName() ?? new Map<string, RowReader>();
      readers.set(this.#connection, known.set(name, reader));
    }
    return reader;
  }
}
