import type { api } from '@tenantry/client';
import { useFormats, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { homeWords } from './home.words.ts';
import { PageLink } from './page-link.tsx';
import { amountsOf } from '../design/amounts.ts';
import styles from './figures.module.css';

/** What quotes are worth, by how they stand, in one row: amounts of several currencies are not added up. */
export function Figures({ statuses, waiting, expired, acceptance, series }: api.QuoteStatistics) {
  const { figures: words, quotes } = useWords(homeWords);
  const formats = useFormats();
  const money = useMoney();
  const won = series.map(({ accepted }) => accepted);
  const share =
    acceptance.decided > 0 ? words.share(formats.percent(acceptance.accepted / acceptance.decided)) : '';
  const figures = [
    { view: 'draft', of: statuses.filter(({ status }) => status === 'draft'), note: '' },
    { view: 'sent', of: [waiting], note: '' },
    { view: 'expired', of: [expired], note: '' },
    { view: 'accepted', of: won, note: share },
  ] as const;
  return (
    <section aria-label={words.title}>
      <dl className={styles['figures']}>
        {figures.map(({ view, of, note }) => {
          const count = of.reduce((sum, each) => sum + each.quotes, 0);
          const amounts = amountsOf(of).map(([currency, amount]) => money(amount, currency));
          return (
            <div key={view} className={styles['figure']}>
              <dt className={styles['title']}>
                <PageLink page="/quotes" search={{ view }} className={styles['link']}>
                  {words[view]}
                </PageLink>
              </dt>
              <dd className={styles['worth']}>
                {(amounts.length > 0 ? amounts : [formats.number(0)]).map((amount) => (
                  <span key={amount}>{amount}</span>
                ))}
              </dd>
              <dd className={styles['note']}>
                {[quotes.count(count), note].filter((text) => text !== '').join(' · ')}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
