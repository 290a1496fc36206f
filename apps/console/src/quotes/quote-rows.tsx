import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { nearDay } from '../design/near-day.ts';
import { Cell, rowLink, Table, TableRow, type Column } from '../design/table.tsx';
import { useLastDay } from './last-day.queries.ts';
import { standingOf, type QuoteOrder } from './quote-filter.ts';
import { StatusBadge } from './status-badge.tsx';
import type { ListedQuote } from './quotes.queries.ts';
import { quoteWords } from './quotes.words.ts';
import styles from './quotes.module.css';

const orders: Readonly<Record<string, readonly [QuoteOrder, QuoteOrder]>> = {
  number: ['-number', 'number'],
  customer: ['customerName', '-customerName'],
  sent: ['-sentAt', 'sentAt'],
  validity: ['validUntil', '-validUntil'],
  total: ['-totalAmount', 'totalAmount'],
};

interface QuoteRowsProps {
  readonly quotes: readonly ListedQuote[];
  readonly sort: QuoteOrder;
  readonly onSort: (order: QuoteOrder) => void;
}

/** A list of quotes, each of which is opened by its title. */
export function QuoteRows({ quotes, sort, onSort }: QuoteRowsProps) {
  const words = useWords(quoteWords);
  const columns = (
    ['number', 'title', 'customer', 'status', 'sent', 'opened', 'validity', 'total'] as const
  ).map((name): Column<QuoteOrder> => {
    const sorts = orders[name];
    return { name, title: words.columns[name], ...(sorts && { orders: sorts }), isAtEnd: name === 'total' };
  });
  return (
    <Table label={words.list} {...{ columns, sort, onSort }} layout={styles}>
      {quotes.map((quote) => (
        <TableRow key={quote.id} className={styles['row']}>
          <QuoteRow quote={quote} />
        </TableRow>
      ))}
    </Table>
  );
}

function QuoteRow({ quote }: { readonly quote: ListedQuote }) {
  const words = useWords(quoteWords);
  const money = useMoney();
  const formats = useFormats();
  const [now] = useState(() => Date.now());
  const { id, number, customerName, title, totalAmount, currency, sentAt, openedAt } = quote;
  const day = (instant: string | null | undefined) =>
    instant === null || instant === undefined ? '' : nearDay(formats.shortDay(instant), now);
  return (
    <>
      <Cell className={styles['number']} isQuiet>
        {number}
      </Cell>
      <Cell className={styles['title']}>
        <Link to="/quotes/$id" params={{ id }} className={rowLink}>
          {title}
        </Link>
      </Cell>
      <Cell className={styles['customer']} isQuiet>
        {customerName || words.unnamed}
      </Cell>
      <Cell className={styles['status']}>
        <StatusBadge status={standingOf(quote, now)} />
      </Cell>
      <Cell className={styles['sent']} isQuiet>
        {day(sentAt)}
      </Cell>
      <Cell className={styles['opened']} isQuiet>
        {typeof openedAt === 'string' && (
          <>
            <span className={styles['untitled']}>{words.columns.opened} </span>
            {day(openedAt)}
          </>
        )}
      </Cell>
      <Validity quote={quote} now={now} />
      <Cell className={styles['total']} isAtEnd>
        {money(totalAmount, currency)}
      </Cell>
    </>
  );
}

/** Until when a quote can be accepted, as long as that matters. */
function Validity({ quote, now }: { readonly quote: ListedQuote; readonly now: number }) {
  const { columns } = useWords(quoteWords);
  const lastDay = useLastDay();
  const { status, validUntil } = quote;
  const matters = status !== 'accepted' && status !== 'rejected';
  const isOver = standingOf(quote, now) === 'expired';
  return (
    <Cell className={`${styles['validity']} ${isOver ? styles['over'] : ''}`} isQuiet>
      {matters && lastDay && (
        <>
          <span className={styles['untitled']}>{columns.validity} </span>
          {nearDay(lastDay(validUntil), now)}
        </>
      )}
    </Cell>
  );
}
