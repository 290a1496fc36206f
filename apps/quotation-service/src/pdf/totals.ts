import type { Headed, Spoken } from './letterhead.ts';
import { column, heightOf, ink, styles, type Sheet } from './sheet.ts';
import type { Style } from './typesetter.ts';

const block = { x: column.left + column.width - 260, width: 260 };
const total: Style = { weight: 'bold', size: 13, color: ink.text };

/** Writes the totals of the quote and, of an offer, its validity, together on one page. */
export function writeTotals(sheet: Sheet, { quote, agreement }: Totalled, { words, formats }: Spoken) {
  const reason = quote.vatExemptionReason
    ? sheet.type.lines(quote.vatExemptionReason, styles.quiet, column.width)
    : [];
  sheet.y += 22;
  sheet.keep(100 + heightOf(reason.length, styles.quiet));
  writeSum(sheet, words.subtotal, formats.money(quote.subtotal));
  writeSum(sheet, words.vat(formats.percent(quote.vatRate)), formats.money(quote.vatAmount));
  sheet.y += 3;
  const { doc } = sheet;
  doc.moveTo(block.x, sheet.y).lineTo(block.x + block.width, sheet.y);
  doc.lineWidth(1.2).strokeColor(ink.accent).stroke();
  sheet.y += 7;
  writeSum(sheet, words.total, formats.money(quote.totalAmount), total);
  const below = [...reason, ...(agreement ? [] : [words.validity(formats.lastDay(quote.validUntil))])];
  if (below.length > 0) sheet.y += 18;
  sheet.write(below, styles.quiet);
}

type Totalled = Pick<Headed, 'quote' | 'agreement'>;

function writeSum(sheet: Sheet, label: string, value: string, style: Style = styles.text) {
  const top = sheet.y;
  sheet.write([label], { ...style, color: ink.text }, block);
  sheet.y = top;
  sheet.write([value], style, { ...block, align: 'right' });
  sheet.y += 2;
}
