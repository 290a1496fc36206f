import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useFormats, useLanguage, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { lastDay } from './days.ts';
import { quoteWords } from './quotes.words.ts';
import { TotalsList } from './totals-list.tsx';
import styles from './quote-sheet.module.css';
import { unitPriceFormat } from './unit-price.ts';

interface QuoteSheetProps {
  readonly quote: api.Quote;
  /** That of the organization, in which days end. */
  readonly timeZone: string;
}

/** A quote to read, as its customer reads it. */
export function QuoteSheet({ quote, timeZone }: QuoteSheetProps) {
  const words = useWords(quoteWords);
  const [language, formats] = [useLanguage(), useFormats()];
  const { title, customerName, customerEmail, customerAddress, customerVatNumber } = quote;
  const { description, currency, workPackages, vatRate } = quote;
  return (
    <article className={styles['sheet']} aria-label={title}>
      <header className={styles['head']}>
        <p>
          {customerName || words.unnamed}
          {customerEmail !== null && (
            <span className={styles['quiet']}>{` · ${shownEmail(customerEmail)}`}</span>
          )}
        </p>
        {customerAddress !== null && <p className={styles['text']}>{customerAddress}</p>}
        {customerVatNumber !== null && <p className={styles['quiet']}>{customerVatNumber}</p>}
        <p className={styles['quiet']}>
          {words.until(lastDay(quote.validUntil, timeZone, { language, formats }))}
        </p>
        {description !== '' && <p className={styles['text']}>{description}</p>}
      </header>
      {workPackages.map((workPackage) => (
        <PackageTable key={workPackage.id} workPackage={workPackage} currency={currency} />
      ))}
      <TotalsList
        totals={quote}
        currency={currency}
        vatRate={formats.number(vatRate)}
        exemption={quote.vatExemptionReason}
      />
    </article>
  );
}

interface PackageTableProps {
  readonly workPackage: api.WorkPackage;
  readonly currency: string;
}

function PackageTable({ workPackage: { name, description, items, subtotal }, currency }: PackageTableProps) {
  const { sheet } = useWords(quoteWords);
  const formats = useFormats();
  const unitPrice = unitPriceFormat(useLanguage(), currency);
  const format = useMoney();
  const money = (amount: number) => format(amount, currency);
  return (
    <section className={styles['package']} aria-label={name}>
      <h3>{name}</h3>
      {description !== '' && <p className={styles['text']}>{description}</p>}
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{sheet.description}</th>
            <th scope="col" className={styles['figure']}>
              {sheet.quantity}
            </th>
            <th scope="col" className={styles['figure']}>
              {sheet.unitPrice}
            </th>
            <th scope="col" className={styles['figure']}>
              {sheet.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <td className={styles['text']}>
                {item.description}
                {item.articleNumber !== '' && <span className={styles['quiet']}> {item.articleNumber}</span>}
              </td>
              <td className={styles['figure']}>
                {formats.number(item.quantity)} {item.unit}
              </td>
              <td className={styles['figure']}>{unitPrice(item.unitPrice)}</td>
              <td className={styles['figure']}>{money(item.totalPrice)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {sheet.packageTotal}
            </th>
            <td className={styles['figure']}>{money(subtotal)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
