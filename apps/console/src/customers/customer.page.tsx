import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mayCall } from '@tenantry/client';
import { ActionLink } from '../design/action-link.tsx';
import { useParam } from '../design/address.ts';
import { BackLink } from '../design/back-link.tsx';
import { amountsOf } from '../design/amounts.ts';
import { useFormats, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { nearDay } from '../design/near-day.ts';
import { Notice } from '../design/notice.tsx';
import { Page as Frame, Panel } from '../design/page.tsx';
import rowStyles from '../design/rows.module.css';
import { Skeleton } from '../design/skeleton.tsx';
import { Cell, rowLink, Table, TableRow } from '../design/table.tsx';
import { Failure } from '../failures/failure.tsx';
import { NotShown } from '../failures/not-shown.tsx';
import { useQuotesOf, type ListedQuote } from '../quotes/quotes.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { CustomerDetails } from './customer-form.tsx';
import { useCustomer, useDuplicateCustomer } from './customers.queries.ts';
import { customerWords } from './customers.words.ts';
import { eventsOf } from './history.ts';
import styles from './customers.module.css';

/** A customer, with their quotes. */
export function Page() {
  const words = useWords(customerWords);
  const id = useParam('id');
  const { permissions } = useSignedIn();
  const { data, error, refetch } = useCustomer(id);
  if (data) {
    return (
      <Frame
        title={data.customer.name || words.unnamed}
        actions={
          mayCall(permissions, 'createQuote') && (
            <ActionLink to="/quotes/new" search={{ customer: id }} kind="primary">
              {words.quotes.create}
            </ActionLink>
          )
        }
      >
        <BackLink to="/customers">{words.back}</BackLink>
        <Duplicate id={id} />
        <div className={styles['record']}>
          <CustomerQuotes id={id} />
          <Panel title={words.details.title}>
            <CustomerDetails key={id} read={data} />
          </Panel>
        </div>
      </Frame>
    );
  }
  if (error !== null) {
    return (
      <NotShown
        title={words.title}
        notFound={words.notFound}
        list="/customers"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Frame title={words.title}>
      <Skeleton label={words.loading} lines={6} />
    </Frame>
  );
}

/** Another customer who may be the same. */
function Duplicate({ id }: { readonly id: string }) {
  const words = useWords(customerWords);
  const other = useDuplicateCustomer(id);
  if (!other) return undefined;
  return (
    <Notice kind="news">
      <p>
        {words.duplicate}{' '}
        <Link to="/customers/$id" params={{ id: other.id }}>
          <bdi>{other.name || words.unnamed}</bdi>
        </Link>
      </p>
    </Notice>
  );
}

/** What was offered to a customer, what they accepted, and what happened last. */
function CustomerQuotes({ id }: { readonly id: string }) {
  const { quotes: words } = useWords(customerWords);
  const quotes = useQuotesOf(id);
  if (quotes.isPending) return <Skeleton label={words.loading} lines={3} />;
  if (quotes.isError) return <Failure error={quotes.error} onRetry={() => void quotes.refetch()} />;
  const { rows, total } = quotes.data;
  if (rows.length === 0) return <p>{words.empty}</p>;
  return (
    <div className={styles['part']}>
      <Accepted quotes={rows} isAll={rows.length === total} />
      <Quotes quotes={rows} />
      <History quotes={rows} />
    </div>
  );
}

interface QuotesProps {
  readonly quotes: readonly ListedQuote[];
}

const columns = ['title', 'status', 'sent', 'total'] as const;

/** Latest first. */
function Quotes({ quotes }: QuotesProps) {
  const { quotes: words } = useWords(customerWords);
  const [formats, money] = [useFormats(), useMoney()];
  const [now] = useState(() => Date.now());
  const titles = columns.map((name) => ({ name, title: words.columns[name], isAtEnd: name === 'total' }));
  return (
    <Table label={words.title} columns={titles} layout={{ ...styles, row: styles['quote'] }}>
      {quotes.map(({ id, title, status, validUntil, sentAt, totalAmount, currency }) => {
        const isOver = status === 'sent' && Date.parse(validUntil) < now;
        return (
          <TableRow key={id} className={styles['quote']}>
            <Cell className={styles['title']}>
              <Link to="/quotes/$id" params={{ id }} className={rowLink}>
                {title}
              </Link>
            </Cell>
            <Cell className={styles['status']} isQuiet>
              {words.statuses[isOver ? 'expired' : status]}
            </Cell>
            <Cell className={styles['sent']} isQuiet>
              {typeof sentAt === 'string' && nearDay(formats.shortDay(sentAt), now)}
            </Cell>
            <Cell className={styles['total']} isAtEnd>
              {money(totalAmount, currency)}
            </Cell>
          </TableRow>
        );
      })}
    </Table>
  );
}

/** What they accepted comes to, each currency for itself. */
function Accepted({ quotes, isAll }: QuotesProps & { readonly isAll: boolean }) {
  const { quotes: words } = useWords(customerWords);
  const money = useMoney();
  const accepted = quotes.filter(({ status }) => status === 'accepted');
  const sums = amountsOf(accepted.map((quote) => ({ amounts: [{ quotes: 1, ...quote }] })));
  const worth = sums.map(([currency, amount]) => money(amount, currency)).join(' · ');
  return (
    <p>
      <strong>{worth || words.noneAccepted}</strong>{' '}
      {worth !== '' && (isAll ? words.accepted : words.acceptedOf(quotes.length))}
    </p>
  );
}

/** What happened last, latest first. */
function History({ quotes }: QuotesProps) {
  const { quotes: words } = useWords(customerWords);
  const formats = useFormats();
  const events = eventsOf(quotes);
  if (events.length === 0) return null;
  return (
    <section aria-label={words.history} className={styles['part']}>
      <h2>{words.history}</h2>
      <ol className={rowStyles['rows']}>
        {events.map(({ kind, at, quote }) => (
          <li key={`${kind} ${quote.id}`} className={`${rowStyles['row']} ${styles['row']}`}>
            <Link to="/quotes/$id" params={{ id: quote.id }} className={rowStyles['link']}>
              {words.events[kind](quote.title)}
            </Link>
            <time dateTime={at} className={rowStyles['quiet']}>
              {formats.moment(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
