import type { PoolClient, Submittable } from 'pg';
import { serialize } from 'pg-protocol';
import type { Answer, Query, Value } from './query.ts';
import { noRows, plainForm, RowReader, type Field, type RawRow } from './row-reader.ts';

/** The outcome of an exchange: the results of the statements and, if not all succeeded, the error of the next one. */
export interface Outcome {
  readonly answers: readonly Answer[];
  readonly error?: Error;
}

/** What is used of a connection of `pg`. */
interface PgConnection {
  readonly stream: { readonly writable: boolean; write(message: Buffer): void };
  /** Texts by the names under which they are prepared; maintained by the client. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  sync(): void;
  sendCopyFail(reason: string): void;
}

/** What is known of the named statements of a connection. */
interface Known {
  /** How their rows are read: each is described once, when it is prepared. */
  readonly readers: Map<string, RowReader>;
  /**
   * Names whose preparation followed a failed statement. PostgreSQL has not prepared them, but a pooler may believe that it
   * has.
   */
  readonly doubtful: Set<string>;
}

const known = new WeakMap<PgConnection, Known>();

function knownOf(connection: PgConnection): Known {
  const before = known.get(connection);
  if (before) return before;
  const made: Known = { readers: new Map(), doubtful: new Set() };
  known.set(connection, made);
  return made;
}

/**
 * Sends statements to PostgreSQL with one Sync after the last of them, in one packet. They take effect one after the other; if
 * one fails, PostgreSQL skips those after it. Outside of a transaction they form one together.
 *
 * `pg` sends a Sync with each statement, so that those after a failed one would still be executed.
 *
 * @param answerMs timeout of all responses; after that the connection is unusable
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
  /** Of its connection, once it is submitted. */
  #known: Known | undefined;
  /** Names that this exchange prepares. */
  readonly #parsed: string[] = [];
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
    const { parsedStatements } = connection;
    const { readers, doubtful } = (this.#known = knownOf(connection));
    const parsed = this.#parsed;
    const messages: Buffer[] = [];
    for (const { name = '', text, values = [] } of this.queries) {
      const isPrepared = Object.hasOwn(parsedStatements, name);
      if (isPrepared && parsedStatements[name] !== text) {
        return new Error(`Another statement is prepared under the name ${name}.`);
      }
      if (name === '' || !(isPrepared || parsed.includes(name))) {
        if (doubtful.has(name)) messages.push(serialize.close({ type: 'S', name }));
        messages.push(serialize.parse({ name, text }));
        parsed.push(name);
      }
      messages.push(serialize.bind({ statement: name, values: values as Value[] }));
      if (!readers.has(name)) messages.push(serialize.describe({ type: 'P' }));
      messages.push(serialize.execute());
    }
    messages.push(serialize.sync());
    // One system call for all of them: it costs more than everything else.
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
    // PostgreSQL sends nothing where a description has no columns.
    const { name = '' } = this;
    const reader = this.#reader ?? this.#known?.readers.get(name) ?? this.#keepReader(noRows);
    this.#known?.doubtful.delete(name);
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
    for (const { name = '' } of this.queries.slice(this.answers.length)) {
      if (name !== '' && this.#parsed.includes(name)) this.#known?.doubtful.add(name);
    }
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleCopyInResponse(connection: PgConnection): void {
    connection.sendCopyFail('COPY is not supported.');
    // PostgreSQL ignores a Sync that arrives while it reads COPY data.
    connection.sync();
  }

  handleCopyData(): void {
    // COPY TO: its data is discarded.
  }

  #knownReader(): RowReader {
    const reader = this.#known?.readers.get(this.name ?? '');
    if (!reader) throw new Error('PostgreSQL sent rows that it has not described.');
    return reader;
  }

  #keepReader(reader: RowReader): RowReader {
    this.#reader = reader;
    const { name } = this;
    // A statement without a name is a new one each time.
    if (name) this.#known?.readers.set(name, reader);
    return reader;
  }
}
