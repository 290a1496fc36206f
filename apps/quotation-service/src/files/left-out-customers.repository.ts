import { byteOrderMark, csvText } from '@tenantry/service/archive';
import { delimitedRows } from '@tenantry/tables';
import { cellText, foldText } from '@tenantry/text';
import { statement, type Transaction } from '../database.ts';
import type { Customer } from '../customers/customer.ts';

// Where a customer may be named in the rows that imports left out; its rows are then looked for among these.
const nextMention = statement({
  name: 'customer-import-left-out-mention',
  text: `
    SELECT import_id AS "importId", part, left_out AS "leftOut" FROM customer_import_parts
    WHERE organization_id = $1 AND (import_id, part) > ($2, $3) AND left_out <> '' AND (
      position($4::text in left_out) > 0 OR position($5::text in lower(left_out)) > 0
      OR position($6::text in upper(regexp_replace(left_out, '[[:space:].-]', '', 'g'))) > 0
      OR position($7::text in app.fold_text(left_out)) > 0)
    ORDER BY import_id, part LIMIT 1 FOR NO KEY UPDATE`,
});

const replaceLeftOut = statement({
  name: 'customer-import-left-out-replace',
  text: `
    WITH part AS (
      UPDATE customer_import_parts SET left_out = $4 WHERE organization_id = $1 AND import_id = $2 AND part = $3
    )
    UPDATE customer_imports SET saved = greatest(saved - $5, 0) WHERE organization_id = $1 AND id = $2`,
});

const beforeAll = '00000000-0000-0000-0000-000000000000';
/** What no row has. */
const nothing = '\u{10ffff}';

/** Deletes the rows of a customer from the files of rows that imports left out. */
export async function forgetLeftOutRows(tx: Transaction, customer: Customer): Promise<void> {
  const { id, email, vatNumber, name } = customer;
  const [word = nothing] = wordsOf(name).toSorted((one, other) => other.length - one.length);
  const clues = [id, email?.toLowerCase() ?? nothing, vatNumber ?? nothing, word] as const;
  for (let [importId, part] = [beforeAll, -1]; ;) {
    const [found] = await tx.query(nextMention, [importId, part, ...clues]);
    if (!found) return;
    ({ importId, part } = found);
    const { text, removed } = await withoutRowsOf(customer, found.leftOut);
    if (removed > 0) await tx.query(replaceLeftOut, [importId, part, text, removed]);
  }
}

const wordsOf = (text: string): readonly string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The rows of a file without those that name a customer: its id, address or number, or every word of its name. */
async function withoutRowsOf({ id, email, vatNumber, name }: Customer, leftOut: string) {
  const ofName = wordsOf(name);
  const isOf = (cells: readonly string[]): boolean => {
    const words = new Set(wordsOf(cells.join(' ')));
    return (
      cells.some(
        (cell) =>
          cell.includes(id) ||
          (email !== null && foldText(cell).includes(foldText(email))) ||
          (vatNumber !== null &&
            cell
              .toUpperCase()
              .replaceAll(/[\s.-]/g, '')
              .includes(vatNumber)),
      ) ||
      (ofName.length > 0 && ofName.every((word) => words.has(word)))
    );
  };
  async function* texts() {
    yield leftOut.replace(byteOrderMark, '');
  }
  const rows: string[][] = [];
  let removed = 0;
  const hasMark = leftOut.startsWith(byteOrderMark);
  let isHeader = hasMark;
  for await (const { cells } of delimitedRows(texts(), { separator: 'comma', isNamed: false })) {
    const plain = cells.map(cellText);
    if (!isHeader && isOf(plain)) removed += 1;
    else rows.push(plain);
    isHeader = false;
  }
  return { text: (hasMark ? byteOrderMark : '') + (rows.length > 0 ? csvText(rows) : ''), removed };
}
