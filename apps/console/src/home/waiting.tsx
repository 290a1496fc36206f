import { Fragment, useId, useState, type ReactNode } from 'react';
import { useAgo } from '../design/ago.ts';
import { useWords } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { failureWords } from '../failures/failures.words.ts';
import { useLastDay } from '../quotes/last-day.queries.ts';
import { useEndingQuotes, useUnansweredQuotes, useUntouchedLeads, type Waiting } from './home.queries.ts';
import { homeWords } from './home.words.ts';
import { PageLink } from './page-link.tsx';
import styles from './waiting.module.css';

/** Quotes that expire within a week. */
export function EndingQuotes() {
  const { waiting: words } = useWords(homeWords);
  const lastDay = useLastDay();
  const { data, error, refetch } = useEndingQuotes();
  return (
    <Card
      title={words.ending.title}
      none={words.ending.none}
      read={{ data, error, refetch }}
      all={
        <PageLink page="/quotes" search={{ view: 'expiring' }}>
          {words.all}
        </PageLink>
      }
      isUrgent
      rowOf={(quote) => (
        <Row
          page="/quotes"
          id={quote.id}
          title={quote.title}
          about={[quote.customerName, lastDay ? words.until(lastDay(quote.validUntil)) : '']}
        />
      )}
    />
  );
}

/** Quotes without a decision. */
export function UnansweredQuotes({ hasSent }: { readonly hasSent: boolean }) {
  const { waiting: words } = useWords(homeWords);
  const ago = useAgo();
  const { data, error, refetch } = useUnansweredQuotes();
  const [now] = useState(() => Date.now());
  return (
    <Card
      title={words.unanswered.title}
      none={hasSent ? words.unanswered.none : words.unanswered.noneSent}
      read={{ data, error, refetch }}
      all={
        <PageLink page="/quotes" search={{ view: 'sent' }}>
          {words.all}
        </PageLink>
      }
      rowOf={({ id, title, customerName, sentAt }) => (
        <Row
          page="/quotes"
          id={id}
          title={title}
          about={[customerName, words.sent(ago(sentAt ?? '', now))]}
        />
      )}
    />
  );
}

/** Leads that have not been contacted. */
export function UntouchedLeads() {
  const { waiting: words } = useWords(homeWords);
  const ago = useAgo();
  const { data, error, refetch } = useUntouchedLeads();
  const [now] = useState(() => Date.now());
  return (
    <Card
      title={words.untouched.title}
      none={words.untouched.none}
      read={{ data, error, refetch }}
      all={
        <PageLink page="/leads" search={{ status: 'new' }}>
          {words.all}
        </PageLink>
      }
      rowOf={({ id, name, source, createdAt }) => (
        <Row page="/leads" id={id} title={name} about={[source ?? '', ago(createdAt, now)]} />
      )}
    />
  );
}

interface CardProps<Item> {
  readonly title: string;
  /** The message if there are none. */
  readonly none: string;
  readonly read: {
    readonly data: Waiting<Item> | undefined;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
  };
  /** The link to the others. */
  readonly all: ReactNode;
  /** Whether the card should come first if it has any. */
  readonly isUrgent?: boolean;
  readonly rowOf: (item: Item) => ReactNode;
}

/** Some pending items, and their total. */
function Card<Item extends { readonly id: string }>(props: CardProps<Item>) {
  const { title, none, all, isUrgent = false, rowOf } = props;
  const { data, error, refetch } = props.read;
  const { loading } = useWords(failureWords);
  const titleId = useId();
  const isWanted = isUrgent && data !== undefined && data.total > 0;
  return (
    <section className={styles['card']} aria-labelledby={titleId} data-urgent={isWanted || undefined}>
      <h3 id={titleId} className={styles['title']}>
        {title}
        {data && <span className={styles['number']}>{data.total}</span>}
      </h3>
      {!data && error === null && <Skeleton label={loading} />}
      {!data && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.total === 0 && <p className={styles['none']}>{none}</p>}
      {data && data.total > 0 && (
        <ul>
          {data.rows.map((item) => (
            <Fragment key={item.id}>{rowOf(item)}</Fragment>
          ))}
        </ul>
      )}
      {data && data.total > data.rows.length && <p className={styles['all']}>{all}</p>}
    </section>
  );
}

interface RowProps {
  readonly page: string;
  readonly id: string;
  readonly title: string;
  /** What else is known of it; empty ones are left out. */
  readonly about: readonly string[];
}

function Row({ page, id, title, about }: RowProps) {
  return (
    <li className={styles['row']}>
      <PageLink page={page} id={id} className={styles['name']}>
        {title}
      </PageLink>
      <span className={styles['about']}>{about.filter((part) => part !== '').join(' · ')}</span>
    </li>
  );
}
