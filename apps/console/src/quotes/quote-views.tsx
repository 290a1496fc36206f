import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { addressOf, quoteViews, type QuoteFilter, type QuoteView } from './quote-filter.ts';
import { useQuoteStatistics } from './quotes.queries.ts';
import { quoteWords } from './quotes.words.ts';
import styles from './quotes.module.css';

/** The states of quotes, with how many there are and what they are worth. */
export function QuoteViews({ filter }: { readonly filter: QuoteFilter }) {
  const words = useWords(quoteWords);
  const { data: statistics } = useQuoteStatistics();
  return (
    <nav className={styles['viewsFrame']} aria-label={words.viewsLabel}>
      <ul className={styles['views']}>
        {quoteViews.map((view) => (
          <li key={view}>
            <Link
              to="/quotes"
              search={addressOf({ ...filter, view })}
              className={styles['view']}
              aria-current={filter.view === view || undefined}
            >
              <span className={styles['viewName']}>{words.views[view]}</span>
              <Worth view={view} statistics={statistics} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface WorthProps {
  readonly view: QuoteView;
  readonly statistics: api.QuoteStatistics | undefined;
}

/** Amounts of several currencies are not added up. */
function Worth({ view, statistics }: WorthProps) {
  const words = useWords(quoteWords);
  const money = useMoney();
  if (view === 'expiring' || view === 'silent') {
    return <span className={styles['worth']}>{words.viewHints[view]}</span>;
  }
  const counted = statistics?.statuses.filter(({ status }) => view === 'all' || status === view) ?? [];
  const quotes = counted.reduce((sum, one) => sum + one.quotes, 0);
  const amounts = view === 'all' ? [] : counted.flatMap((one) => one.amounts);
  return (
    <span className={styles['worth']}>
      {statistics ? words.count(quotes) : '…'}
      {amounts.map(({ currency, totalAmount }) => (
        <span key={currency} className={styles['amount']}>
          {money(totalAmount, currency)}
        </span>
      ))}
    </span>
  );
}
