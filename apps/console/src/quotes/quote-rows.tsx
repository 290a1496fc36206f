import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import rowStyles from '../design/rows.module.css';
import { standingOf } from './quote-filter.ts';
import { StatusBadge } from './status-badge.tsx';
import type { ListedQuote } from './quotes.queries.ts';
import { quoteWords } from './quotes.words.ts';
import styles from './quotes.module.css';
import { useLastDay } from './last-day.queries.ts';

/** A list of quotes, each of which is opened by its title. */
export function QuoteRows({ quotes }: { readonly quotes: readonly ListedQuote[] }) {
  const words = useWords(quoteWords);
  return (
    <ul className={`${rowStyles['rows']} ${styles['list']}`} aria-label={words.list}>
      {quotes.map((quote) => (
        <li key={quote.id} className={`${rowStyles['row']} ${styles['row']}`}>
          <QuoteRow quote={quote} />
        </li>
      ))}
    </ul>
  );
}

function QuoteRow({ quote }: { readonly quote: ListedQuote }) {
  const words = useWords(quoteWords);
  const money = useMoney();
  const [now] = useState(() => Date.now());
  const { id, number, customerName, title, totalAmount, currency } = quote;
  return (
    <>
      <span className={`${rowStyles['quiet']} ${styles['number']}`}>{number}</span>
      <span className={styles['what']}>
        <Link to="/quotes/$id" params={{ id }} className={rowStyles['link']}>
          {title}
        </Link>
        <span className={rowStyles['quiet']}>{customerName || words.unnamed}</span>
      </span>
      <span className={styles['status']}>
        <StatusBadge status={standingOf(quote, now)} />
      </span>
      <Validity quote={quote} />
      <span className={styles['total']}>{money(totalAmount, currency)}</span>
    </>
  );
}

/** Until when a quote can be accepted, as long as that matters. */
function Validity({ quote: { status, validUntil } }: { readonly quote: ListedQuote }) {
  const words = useWords(quoteWords);
  const lastDay = useLastDay();
  if (!lastDay || status === 'accepted' || status === 'rejected') return null;
  const day = lastDay(validUntil);
  const isOver = Date.parse(validUntil) < Date.now();
  return (
    <span className={`${styles['validity']} ${isOver ? styles['over'] : rowStyles['quiet']}`}>
      {isOver ? words.expired(day) : words.until(day)}
    </span>
  );
}
