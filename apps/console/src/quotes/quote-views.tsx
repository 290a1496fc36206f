import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { useFormats, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import pills from '../design/pills.module.css';
import { addressOf, quoteViews, type QuoteFilter, type QuoteView } from './quote-filter.ts';
import { useQuoteStatistics } from './quotes.queries.ts';
import type { QuoteWords } from './quotes.words.en.ts';
import { quoteWords } from './quotes.words.ts';
import styles from './quotes.module.css';

/** The states of quotes, with how many there are. */
export function QuoteViews({ filter }: { readonly filter: QuoteFilter }) {
  const words = useWords(quoteWords);
  const formats = useFormats();
  const { data: statistics } = useQuoteStatistics();
  return (
    <nav className={styles['viewsFrame']} aria-label={words.viewsLabel}>
      <ul className={styles['views']}>
        {quoteViews.map((view) => {
          const counted = statistics && countedIn(view, statistics);
          return (
            <li key={view}>
              <Link
                to="/quotes"
                search={addressOf({ ...filter, view, sort: undefined })}
                className={pills['pill']}
                activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
                aria-current={filter.view === view ? 'page' : undefined}
                title={hintOf(view, words)}
              >
                {words.views[view]}{' '}
                {counted && <span className={pills['count']}>{formats.number(quotesIn(counted))}</span>}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** How many quotes a view has, and what they are worth: amounts of several currencies are not added up. */
export function Worth({ view }: Pick<QuoteFilter, 'view'>) {
  const words = useWords(quoteWords);
  const money = useMoney();
  const { data: statistics } = useQuoteStatistics();
  const counted = statistics && countedIn(view, statistics);
  if (view === 'expiring' || view === 'silent')
    return <p className={styles['worth']}>{words.viewHints[view]}</p>;
  const amounts = view === 'all' ? [] : (counted ?? []).flatMap((one) => one.amounts);
  const worth = amounts.map(({ currency, totalAmount }) => money(totalAmount, currency));
  return (
    <p className={styles['worth']}>
      {[counted ? words.count(quotesIn(counted)) : '…', ...worth].join(' · ')}
    </p>
  );
}

const hintOf = (view: QuoteView, { viewHints }: QuoteWords): string | undefined =>
  view === 'expiring' || view === 'silent' ? viewHints[view] : undefined;

type Counted = api.QuoteStatistics['waiting'];

const quotesIn = (counted: readonly Pick<Counted, 'quotes'>[]): number =>
  counted.reduce((sum, { quotes }) => sum + quotes, 0);

/** What was sent and has expired is no longer among what was sent. */
function countedIn(
  view: QuoteView,
  { statuses, waiting, expired }: api.QuoteStatistics,
): readonly Pick<Counted, 'quotes' | 'amounts'>[] | undefined {
  if (view === 'expiring' || view === 'silent') return undefined;
  if (view === 'sent') return [waiting];
  if (view === 'expired') return [expired];
  return statuses.filter(({ status }) => view === 'all' || status === view);
}
