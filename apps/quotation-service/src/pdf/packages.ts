import type { LineItem, WorkPackage } from '../quotes/quote.ts';
import type { QuoteDocument } from '../quotes/quote-document.ts';
import type { Spoken } from './letterhead.ts';
import { column, heightOf, styles, type Sheet } from './sheet.ts';
import type { Style } from './typesetter.ts';

const gap = 14;
const padding = 5;
/** The height of a table's header row, and of its sum. */
const heights = { head: 24, sum: 26 };
/** Rows up to this many lines are never broken. */
const unbrokenLines = 8;

/** The columns of all packages, aligned throughout the document. */
interface Columns {
  readonly description: number;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly amount: number;
}

/** A line, broken into lines of text. */
interface Row {
  readonly description: readonly { readonly text: string; readonly style: Style }[];
  readonly quantity: readonly string[];
  readonly unitPrice: string;
  readonly amount: string;
}

/** Writes the packages, each a table with its own head and sum. */
export function writePackages(sheet: Sheet, quote: QuoteDocument, spoken: Spoken) {
  const columns = columnsOf(sheet, quote, spoken);
  for (const workPackage of quote.workPackages) {
    sheet.y += 22;
    writePackage(sheet, workPackage, { columns, ...spoken });
  }
}

interface Table extends Spoken {
  readonly columns: Columns;
}

function writePackage(sheet: Sheet, workPackage: WorkPackage, table: Table) {
  const { type } = sheet;
  const name = type.lines(workPackage.name, styles.heading, column.width);
  const about = workPackage.description
    ? type.lines(workPackage.description, styles.quiet, column.width)
    : [];
  const [first] = workPackage.items;
  const firstRow = first ? heightOfRow(rowOf(sheet, first, table)) : 0;
  // A header row is on the same page as its first line.
  sheet.keep(
    heightOf(name.length, styles.heading) +
      heightOf(Math.min(about.length, 4), styles.quiet) +
      heights.head +
      firstRow +
      heights.sum,
  );
  sheet.write(name, styles.heading);
  for (const line of about) {
    sheet.keep(heightOf(1, styles.quiet));
    sheet.write([line], styles.quiet);
  }
  if (about.length > 4) sheet.keep(heights.head + firstRow + heights.sum);
  sheet.y += 6;
  writeHead(sheet, table);
  const continues = () => {
    sheet.turn();
    const continued = `${workPackage.name} (${table.words.continued})`;
    sheet.write([type.oneLine(continued, styles.strong, column.width)], styles.strong);
    sheet.y += 4;
    writeHead(sheet, table);
  };
  for (const [index, item] of workPackage.items.entries()) {
    const isLast = index === workPackage.items.length - 1;
    writeRow(sheet, rowOf(sheet, item, table), {
      columns: table.columns,
      continues,
      below: isLast ? heights.sum : 0,
    });
  }
  if (sheet.room() < heights.sum) continues();
  writeSum(sheet, workPackage, table);
}

function writeHead(sheet: Sheet, { columns, words }: Table) {
  const labels = [words.description, words.quantity, words.unitPrice, words.amount] as const;
  const top = sheet.y;
  for (const [index, place] of placesOf(columns).entries()) {
    sheet.y = top;
    sheet.write([labels[index] ?? ''], styles.label, place);
  }
  sheet.y += 3;
  sheet.rule('#9aa5b1');
}

interface RowPlace {
  readonly columns: Columns;
  /** Begins a page on which the table continues. */
  readonly continues: () => void;
  /** The height that has to fit below. */
  readonly below: number;
}

function writeRow(sheet: Sheet, row: Row, { columns, continues, below }: RowPlace) {
  const [description, ...numbers] = placesOf(columns);
  if (sheet.room() < heightOfRow(row) + below) continues();
  sheet.y += padding;
  const top = sheet.y;
  const [first, ...rest] = row.description;
  // In reading order, so that copied text and screen readers get the line as a line.
  if (first) sheet.write([first.text], first.style, description);
  const firstEnd = sheet.y;
  let bottom = firstEnd;
  for (const [index, lines] of [row.quantity, [row.unitPrice], [row.amount]].entries()) {
    sheet.y = top;
    sheet.write(lines, styles.text, numbers[index]);
    bottom = Math.max(bottom, sheet.y);
  }
  sheet.y = firstEnd;
  for (const { text, style } of rest) {
    if (sheet.room() < heightOf(1, style)) {
      continues();
      sheet.y += padding;
      bottom = 0;
    }
    sheet.write([text], style, description);
  }
  sheet.y = Math.max(bottom, sheet.y) + padding;
  sheet.rule();
}

function writeSum(sheet: Sheet, { subtotal }: WorkPackage, { words, formats }: Table) {
  sheet.y += padding;
  const top = sheet.y;
  sheet.write([words.subtotal], styles.quiet);
  sheet.y = top;
  sheet.write([formats.amount(subtotal)], styles.strong, { align: 'right' });
}

function rowOf({ type }: Sheet, item: LineItem, { columns, formats }: Table): Row {
  const description = type.lines(item.description, styles.text, columns.description);
  const article = item.articleNumber ? type.lines(item.articleNumber, styles.label, columns.description) : [];
  return {
    description: [
      ...description.map((text) => ({ text, style: styles.text })),
      ...article.map((text) => ({ text, style: styles.label })),
    ],
    quantity: type.lines(quantityOf(item, formats), styles.text, columns.quantity),
    unitPrice: formats.unitPrice(item.unitPrice),
    amount: formats.amount(item.totalPrice),
  };
}

const quantityOf = ({ quantity, unit }: LineItem, formats: Spoken['formats']) =>
  `${formats.quantity(quantity)} ${unit}`;

/** The height of a row, or of the part of a long one that has to stay together. */
function heightOfRow({ description, quantity }: Row): number {
  const lines = Math.max(Math.min(description.length, unbrokenLines), quantity.length);
  return heightOf(lines, styles.text) + 2 * padding;
}

const placesOf = ({ description, quantity, unitPrice, amount }: Columns) =>
  [
    { x: column.left, width: description },
    { x: column.left + description + gap, width: quantity, align: 'right' },
    { x: column.left + description + quantity + 2 * gap, width: unitPrice, align: 'right' },
    { x: column.left + column.width - amount, width: amount, align: 'right' },
  ] as const;

/** Numbers get the room they need, descriptions the rest. */
function columnsOf({ type }: Sheet, { workPackages }: QuoteDocument, { words, formats }: Spoken): Columns {
  const items = workPackages.flatMap((workPackage) => workPackage.items);
  const widest = (label: string, texts: readonly string[]) => {
    // Digits have one width: the longest text is the widest, within a digit.
    const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '');
    return Math.max(type.width(label, styles.label), type.width(longest, styles.text) + 4);
  };
  const quantity = widest(
    words.quantity,
    items.map((item) => quantityOf(item, formats)),
  );
  const unitPrice = widest(
    words.unitPrice,
    items.map((item) => formats.unitPrice(item.unitPrice)),
  );
  const amount = widest(
    words.amount,
    items.map((item) => formats.amount(item.totalPrice)),
  );
  const columns = { quantity: Math.min(quantity, 96), unitPrice, amount };
  const used = columns.quantity + unitPrice + amount + 3 * gap;
  return { description: column.width - used, ...columns };
}
