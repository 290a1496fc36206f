import { statement, type Statement, type StatementOwner } from '../statement.ts';

/** Text in which terms are found by an index of trigrams, as {@link searchedText} makes it. */
export interface SearchedText {
  /** Looks at some of the organization's rows: whether they are many, and so few hold a term that the index is the quicker way. */
  readonly sample: Statement<{ readonly isRare: boolean }, [term: string], 'organization'>;
}

/** Options of {@link searchedText}. */
export interface SearchedTextOptions {
  /** The service or library, as for {@link describedStatements}. */
  readonly project: string;
  /** Of the statement that samples it; unique within the service. */
  readonly name: string;
  readonly table: string;
  /** The folded text, letter by letter as in the policy and the index. */
  readonly text: string;
  /** Which rows are listed, as the index has it; default: all. */
  readonly where?: string;
  /** A time by which an index has these rows in order, with the columns of the text. */
  readonly orderedBy: string;
}

/** Fewer are read before the index has been asked. */
const rowsMin = 5_000;
/** How many places of the list are looked at, and how many rows at each. */
const places = 10;
const rowsAtEach = 50;
/** From here on the whole list is read as quickly as the rows that the index gives are fetched. */
const rareBelow = 0.05;

/**
 * Names a text that is searched by an index. The role, the policy and the index come with a migration
 * (`npm run migrate -- leads-service --search …`).
 *
 * @example
 * const leadText = searchedText({
 *   project: 'leads-service',
 *   name: 'lead-search-sample',
 *   table: 'leads',
 *   text: String.raw`folded_name || E'\n' || folded_email`,
 *   where: 'deleted_at IS NULL',
 *   orderedBy: 'created_at',
 * });
 */
export function searchedText(options: SearchedTextOptions): SearchedText {
  const { project, name, table, text, where, orderedBy } = options;
  const rows = `FROM ${table} WHERE organization_id = $1${where === undefined ? '' : ` AND ${where}`}`;
  const end = (direction: string) => `SELECT ${orderedBy} ${rows} ORDER BY ${orderedBy} ${direction} LIMIT 1`;
  return Object.freeze({
    sample: statement<{ readonly isRare: boolean }, [term: string]>({
      name,
      described: { project },
      text: `
        SELECT count(*) FILTER (WHERE sampled.text LIKE given.pattern) < ${rareBelow} * count(*) AS "isRare"
        FROM (SELECT app.search_pattern($2) AS pattern OFFSET 0) AS given
        CROSS JOIN (SELECT (${end('ASC')}) AS first, (${end('DESC')}) AS last OFFSET 0) AS list
        CROSS JOIN generate_series(0, ${places - 1}) AS place
        CROSS JOIN LATERAL (
          SELECT ${text} AS text ${rows} AND ${orderedBy} >= list.first + (list.last - list.first) * place / ${places}
          ORDER BY ${orderedBy} LIMIT ${rowsAtEach}
        ) AS sampled
        WHERE given.pattern IS NOT NULL
          AND EXISTS (SELECT ${rows} ORDER BY ${orderedBy} OFFSET ${rowsMin} LIMIT 1)`,
    }),
  });
}

/**
 * A statement that finds a term, in two forms that take the same values and answer the same rows.
 *
 * `scan` reads every row of the organization. `indexed` runs as the role of searches, which sees the rows that the index finds and
 * no others.
 */
export interface Search<
  Row,
  Values extends readonly unknown[],
  Owner extends StatementOwner = 'organization',
> {
  readonly text: SearchedText;
  readonly scan: Statement<Row, Values, Owner>;
  readonly indexed: Statement<Row, Values, Owner>;
}
