import type { Agreement, QuoteDocument } from '../quotes/quote-document.ts';
import type { Spoken } from './letterhead.ts';
import { column, halves, heightOf, styles, type Half, type Sheet } from './sheet.ts';

/** A contract: a quote with its acceptance. */
export interface Agreed {
  readonly quote: QuoteDocument;
  readonly agreement: Agreement;
}

/** The height of a line to write on, with what it is for below it. */
const writtenHeight = 40;

/** Writes who accepted the quote and when, and the lines on which both parties sign, together on one page. */
export function writeAgreement(sheet: Sheet, { quote, agreement }: Agreed, { words, formats }: Spoken) {
  const { type } = sheet;
  const { seller, customer } = quote;
  const [moment, number] = [formats.moment(agreement.acceptedAt), quote.number];
  const said =
    agreement.acceptedBy === 'seller'
      ? words.acceptedForCustomer({ moment, number })
      : words.acceptedBy({ name: agreement.name ?? words.theCustomer, moment, number });
  const accepted = type.lines(said, styles.text, column.width);
  const hash = type.lines(words.fingerprint(agreement.contentHash), styles.label, column.width);
  const parties = [
    [words.seller, type.lines(seller.name, styles.strong, halves.width)],
    [words.customer, type.lines(customer.name, styles.strong, halves.width)],
  ] as const;
  const names = Math.max(...parties.map(([, lines]) => lines.length));
  sheet.y += 22;
  sheet.keep(
    2 * heightOf(1, styles.heading) +
      heightOf(accepted.length, styles.text) +
      heightOf(hash.length + 1, styles.label) +
      heightOf(names, styles.strong) +
      3 * writtenHeight +
      32,
  );
  sheet.write([words.acceptance], styles.heading);
  sheet.y += 4;
  sheet.write(accepted, styles.text);
  sheet.y += 2;
  sheet.write(hash, styles.label);
  sheet.y += 22;
  sheet.write([words.signatures], styles.heading);
  sheet.y += 4;
  const [left, right] = parties.map(([role, lines]) => (place: Half) => {
    sheet.write([role], styles.label, place);
    const top = sheet.y;
    sheet.write(lines, styles.strong, place);
    // The lines of both begin at one height.
    sheet.y = top + heightOf(names, styles.strong);
    for (const label of [words.placeAndDate, words.signature, words.printedName]) {
      sheet.y += writtenHeight - heightOf(1, styles.label) - 3;
      sheet.rule('#9aa5b1', place);
      sheet.y += 3;
      sheet.write([label], styles.label, place);
    }
  });
  if (left && right) sheet.sideBySide(left, right);
}
