/** The order of a list, which its last column makes total. */
export interface PageOrder {
  readonly columns: readonly string[];
  readonly direction: 'ASC' | 'DESC';
}

/** What stands behind ORDER BY; `source` stands before each column, as `page.`. */
export function orderText({ columns, direction }: PageOrder, source = ''): string {
  return columns.map((column) => `${source}${column} ${direction}`).join(', ');
}

/** What {@link totalText} counts. */
export interface TotalParts {
  /** FROM and WHERE of the list. */
  readonly matches: string;
  /** The query that counts all of it, for a page beyond its end; by default read in the order of the list. */
  readonly all?: string;
}

const reverse = { ASC: 'DESC', DESC: 'ASC' } as const;

/**
 * The exact total of a list, in a statement that has the page as `page`, of $2 rows after the first $3. Counting continues
 * after the page's last row, so that page and total together cost one pass over the index.
 */
export function totalText(order: PageOrder, { matches, all }: TotalParts): string {
  const key = order.columns.join(', ');
  const last = `SELECT ${key} FROM page ORDER BY ${orderText({ ...order, direction: reverse[order.direction] })} LIMIT 1`;
  // The order keeps the planner on the index where one organization's rows fill the table.
  const count = (condition: string) =>
    `SELECT count(*) FROM (SELECT ${matches} ${condition} ORDER BY ${orderText(order)}) AS matching`;
  return `CASE
      WHEN (SELECT count(*) FROM page) = $2
        THEN $3 + $2 + (${count(`AND (${key}) ${order.direction === 'DESC' ? '<' : '>'} (${last})`)})
      WHEN $3 = 0 OR EXISTS (SELECT FROM page) THEN $3 + (SELECT count(*) FROM page)
      ELSE (${all ?? count('')})
    END`;
}

/** What {@link foundPageText} is made of. */
export interface FoundParts {
  /** FROM and WHERE of what is found. */
  readonly matches: string;
  /** The query of one row of the page, by its columns as `page.id`. */
  readonly item: string;
}

/** What {@link pageText} is made of. */
export interface PageParts extends FoundParts {
  /** The query of the total, which may read the page as `page`. */
  readonly total: string;
}

/**
 * A page of $2 rows after the first $3, and its total, in one snapshot. It reads the columns of the order from an index, and
 * rows only for the page.
 */
export function pageText(order: PageOrder, { matches, total, item }: PageParts): string {
  return `
    WITH page AS MATERIALIZED (
      SELECT ${order.columns.join(', ')} ${matches} ORDER BY ${orderText(order)} LIMIT $2 OFFSET $3
    )
    ${itemsOfPage(order, { total, item })}`;
}

/**
 * The indexed form of a search, of $2 rows after the first $3: the rows that the index finds are fetched once, then counted and
 * sorted, so that page and total are of one snapshot.
 */
export function foundPageText(order: PageOrder, { matches, item }: FoundParts): string {
  return `
    WITH found AS MATERIALIZED (SELECT ${order.columns.join(', ')} ${matches}),
    page AS MATERIALIZED (SELECT * FROM found ORDER BY ${orderText(order)} LIMIT $2 OFFSET $3)
    ${itemsOfPage(order, { total: 'SELECT count(*) FROM found', item })}`;
}

/** The rows of `page`, each with the total; beyond the end, one row with only the total. */
const itemsOfPage = (order: PageOrder, { total, item }: Pick<PageParts, 'total' | 'item'>): string => `
    SELECT (${total})::int AS total, item.*
    FROM (VALUES (1)) AS always LEFT JOIN (page CROSS JOIN LATERAL (${item}) AS item) ON true
    ORDER BY ${orderText(order, 'page.')}`;

/**
 * An SQL condition: a folded text begins with a folded term. An index that has the text behind the organization finds it, under
 * row-level security too: comparisons are leakproof, as LIKE and `^@` are not. Texts are in the order of their code points.
 */
const beginsWith = (column: string, term: string): string =>
  String.raw`${column} >= ${term} AND ${column} < ${term} || U&'\+10FFFF'`;

/** What {@link suggestionsText} is made of. */
export interface SuggestionsParts {
  readonly table: string;
  /** The column that identifies a row in its organization. */
  readonly key: string;
  /** The folded text that begins with the name. */
  readonly text: string;
  /** Which rows are there at all, as the index of the text has it. */
  readonly kept?: string;
  /** What is answered of each row. */
  readonly columns: string;
}

/**
 * The statement of rows whose text begins with $2, in the order of the text, at most $3: found in the index of the text and the
 * key alone, and then fetched by their keys.
 */
export function suggestionsText({ table, key, text, kept, columns }: SuggestionsParts): string {
  const there = kept === undefined ? 'organization_id = $1' : `organization_id = $1 AND ${kept}`;
  return `
    SELECT suggested.* FROM (
      SELECT begun.${text}, begun.${key} FROM unnest(app.spellings($2)) AS ways (spelling) CROSS JOIN LATERAL (
        SELECT ${text}, ${key} FROM ${table}
        WHERE ${there} AND ${beginsWith(text, 'ways.spelling')}
        ORDER BY ${text}, ${key} LIMIT $3
      ) AS begun
      ORDER BY ${text}, ${key} LIMIT $3
    ) AS first CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND ${key} = first.${key} LIMIT 1
    ) AS suggested
    ORDER BY first.${text}, first.${key}`;
}

/** A folded text without letters that no folded text has any more, letter by letter as in the policies and indexes of that time. */
export const foldedAlike = (column: string): string =>
  `replace(translate(${column}, 'ðŧς', 'dtσ'), 'þ', 'th')`;

/**
 * An SQL condition: a folded text holds a term, given as a parameter. By strpos() and not LIKE: it is quicker, and no character of a
 * term is special. In a term with apostrophes, dashes or blanks each of them may be another one: `o brien` finds O'Brien.
 */
export const foundIn = (text: string, term: string): string => {
  const folded = `app.fold_text(${term})`;
  return `CASE WHEN (SELECT app.loose_pattern(${folded}) IS NULL) THEN strpos(${text}, (SELECT ${folded})) > 0
    ELSE ${text} LIKE (SELECT app.loose_pattern(${folded}))
      AND strpos(app.loosen(${text}), (SELECT app.loosen(${folded}))) > 0 END`;
};
