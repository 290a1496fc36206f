import type { api } from '@tenantry/client';
import { useId, useState, type ReactNode } from 'react';
import { useAgo } from '../design/ago.ts';
import { startOfDay } from '../design/day-start.ts';
import { useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { nearDay } from '../design/near-day.ts';
import { rowLink } from '../design/table.tsx';
import { Failure } from '../failures/failure.tsx';
import { useLastDay } from '../quotes/last-day.queries.ts';
import { useMay, useSignedIn } from '../sessions/sessions.queries.ts';
import {
  useAcceptedQuotes,
  useEndingQuotes,
  useQuoteStatistics,
  useUnansweredQuotes,
  useUntouchedLeads,
} from './home.queries.ts';
import { homeWords } from './home.words.ts';
import { PageLink } from './page-link.tsx';
import styles from './worklist.module.css';
import { groupsOf } from './groups.ts';

/** What to do next, most pressing first, and what was won: each quote is there once. */
export function Worklist() {
  const { waiting: words } = useWords(homeWords);
  const may = useMay();
  const quotes = { enabled: may('getQuoteStatistics') };
  const leads = { enabled: may('getLeadStatistics') };
  const reads = {
    ending: useEndingQuotes(quotes),
    unanswered: useUnansweredQuotes(quotes),
    accepted: useAcceptedQuotes(quotes),
    untouched: useUntouchedLeads(leads),
  };
  const weekStart = useWeekStart(quotes);
  const { ending, unanswered, accepted, untouched } = reads;
  const titleId = useId();
  const { toDo, won } = groupsOf({
    ending: ending.data,
    unanswered: unanswered.data,
    accepted: accepted.data?.filter(({ decidedAt }) => (decidedAt ?? '') >= weekStart),
  });
  const failed = Object.values(reads).filter(({ isLoadingError }) => isLoadingError);
  const isDone = [...toDo, won].every(({ total }) => total === 0) && (untouched.data?.total ?? 0) === 0;
  return (
    <section className={styles['work']} aria-labelledby={titleId}>
      <h2 id={titleId}>{words.title}</h2>
      {failed[0]?.error && (
        <Failure
          error={failed[0].error}
          onRetry={() => void Promise.all(failed.map(({ refetch }) => refetch()))}
        />
      )}
      {!isDone && (
        <div className={styles['list']}>
          {toDo.map((group) => (
            <QuoteGroup key={group.name} {...group} />
          ))}
          <LeadGroup leads={untouched.data?.rows ?? []} total={untouched.data?.total ?? 0} />
          <QuoteGroup {...won} />
        </div>
      )}
      {isDone && failed.length === 0 && <Done />}
    </section>
  );
}

/** The instant at which the week began, as the reader's calendar has it; later than any until it is known. */
function useWeekStart(options: { readonly enabled: boolean }): string {
  const { user } = useSignedIn();
  const start = useQuoteStatistics(options).data?.series.at(-1)?.start;
  return start === undefined ? '~' : startOfDay(start, user.timeZone ?? undefined).toISOString();
}

function Done() {
  const { waiting: words } = useWords(homeWords);
  const { data } = useQuoteStatistics();
  const hasSent = data?.statuses.some(({ status, quotes }) => status !== 'draft' && quotes > 0) !== false;
  return <p className={styles['none']}>{hasSent ? words.none : words.noneSent}</p>;
}

type Groups = ReturnType<typeof groupsOf>;
type Group = Groups['toDo'][number] | Groups['won'];

function QuoteGroup({ name, rows, total }: Group) {
  const { waiting: words } = useWords(homeWords);
  const money = useMoney();
  const ago = useAgo();
  const lastDay = useLastDay();
  const [now] = useState(() => Date.now());
  const noteOf: Readonly<Record<Group['name'], (quote: api.QuoteListItem) => string>> = {
    ending: ({ validUntil }) => (lastDay ? words.until(nearDay(lastDay(validUntil), now)) : ''),
    opened: ({ openedAt }) => words.opened(ago(openedAt ?? '', now)),
    unanswered: ({ sentAt }) => words.sent(ago(sentAt ?? '', now)),
    accepted: ({ decidedAt }) => ago(decidedAt ?? '', now),
  };
  const views = { ending: 'expiring', opened: 'sent', unanswered: 'sent', accepted: 'accepted' };
  return (
    <Part
      title={words[`${name}Title`]}
      page="/quotes"
      search={{ view: views[name] }}
      {...{ total, shown: rows.length }}
    >
      {rows.map((quote) => (
        <li key={quote.id} className={styles['row']}>
          <PageLink page="/quotes" id={quote.id} className={`${rowLink} ${styles['what']}`}>
            {quote.title}
          </PageLink>
          <span className={styles['who']}>{quote.customerName}</span>
          <span className={styles['note']}>{noteOf[name](quote)}</span>
          <span className={styles['worth']}>{money(quote.totalAmount, quote.currency)}</span>
        </li>
      ))}
    </Part>
  );
}

interface LeadGroupProps {
  readonly leads: readonly api.LeadListItem[];
  readonly total: number;
}

function LeadGroup({ leads, total }: LeadGroupProps) {
  const { waiting: words } = useWords(homeWords);
  const ago = useAgo();
  const [now] = useState(() => Date.now());
  return (
    <Part
      title={words.untouchedTitle}
      page="/leads"
      search={{ status: 'new' }}
      {...{ total, shown: leads.length }}
    >
      {leads.map(({ id, name, source, createdAt }) => (
        <li key={id} className={styles['row']}>
          <PageLink page="/leads" id={id} className={`${rowLink} ${styles['what']}`}>
            {name}
          </PageLink>
          <span className={styles['who']}>{source}</span>
          <span className={styles['note']}>{ago(createdAt, now)}</span>
        </li>
      ))}
    </Part>
  );
}

interface PartProps {
  readonly title: string;
  readonly total: number;
  /** How many of them are shown. */
  readonly shown: number;
  /** Where all of them are. */
  readonly page: string;
  readonly search: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

function Part({ title, total, shown, page, search, children }: PartProps) {
  const { waiting: words } = useWords(homeWords);
  const titleId = useId();
  if (total === 0) return null;
  return (
    <section aria-labelledby={titleId}>
      <div className={styles['head']}>
        <h3 id={titleId} className={styles['title']}>
          {title} <span className={styles['count']}>{total}</span>
        </h3>
        {total > shown && (
          <PageLink page={page} search={search} className={styles['all']}>
            {words.all}
          </PageLink>
        )}
      </div>
      <ul>{children}</ul>
    </section>
  );
}
