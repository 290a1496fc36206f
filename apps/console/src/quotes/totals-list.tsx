import type { api } from '@tenantry/client';
import { useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { quoteWords } from './quotes.words.ts';
import styles from './totals-list.module.css';

interface TotalsListProps {
  readonly totals: Pick<api.Quote, 'subtotal' | 'vatAmount' | 'totalAmount'>;
  readonly currency: string;
  /** As it is written, `25` or `8.1`. */
  readonly vatRate: string;
  /** Why there is no VAT. */
  readonly exemption?: string | null;
}

/** What a quote comes to. */
export function TotalsList({ totals, currency, vatRate, exemption = null }: TotalsListProps) {
  const { sheet: words } = useWords(quoteWords);
  const format = useMoney();
  const money = (amount: number) => format(amount, currency);
  return (
    <dl className={styles['totals']}>
      <dt>{words.subtotal}</dt>
      <dd>{money(totals.subtotal)}</dd>
      <dt>{words.vat(vatRate)}</dt>
      <dd>{money(totals.vatAmount)}</dd>
      {exemption !== null && <dd className={styles['reason']}>{exemption}</dd>}
      <dt className={styles['grand']}>{words.grandTotal}</dt>
      <dd className={styles['grand']}>{money(totals.totalAmount)}</dd>
    </dl>
  );
}
