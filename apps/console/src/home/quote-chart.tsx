import type { api } from '@tenantry/client';
import { useFormats, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { Chart, NumberTable, Share } from './chart.tsx';
import styles from './chart.module.css';
import { homeWords } from './home.words.ts';
import { PageLink } from './page-link.tsx';
import { byCurrency, shareOf } from './scale.ts';

type Standing = api.QuoteStatistics['waiting'] & {
  readonly status: api.QuoteStatistics['statuses'][number]['status'] | 'expired';
};

/** Quotes by state and value, each currency for itself. */
export function QuoteChart({ statuses, waiting: open, expired }: api.QuoteStatistics) {
  const { quotes: words } = useWords(homeWords);
  const formats = useFormats();
  const money = useMoney();
  const ended = { ...expired, status: 'expired' as const };
  const standings = statuses.flatMap<Standing>((one) =>
    one.status === 'sent' ? [{ ...one, ...open }, ended] : [one],
  );
  const currencies = byCurrency(standings);
  const waiting = currencies.flatMap(([currency, worths]) =>
    worths
      .filter(({ status, quotes }) => status === 'sent' && quotes > 0)
      .map(({ totalAmount }) => money(totalAmount, currency)),
  );
  return (
    <Chart
      title={waiting.length > 0 ? words.title(waiting.join(words.and)) : words.titleNone}
      about={words.about}
      table={currencies.map(([currency, worths]) => (
        <NumberTable
          key={currency}
          caption={words.table(currency)}
          columns={[words.state, words.number, words.value]}
          rows={worths.map(({ status, quotes, totalAmount }) => [
            words.statuses[status],
            formats.number(quotes),
            money(totalAmount, currency),
          ])}
        />
      ))}
    >
      {currencies.map(([currency, worths]) => {
        const max = Math.max(...worths.map(({ totalAmount }) => Number(totalAmount)));
        return (
          <ul key={currency} className={styles['amounts']} aria-label={words.table(currency)}>
            {worths.map(({ status, quotes, totalAmount }) => (
              <li key={status} className={styles['amount']}>
                <div className={styles['line']}>
                  <PageLink page="/quotes" search={{ view: status }}>
                    {words.statuses[status]}
                  </PageLink>
                  <span className={styles['value']}>
                    <span className={styles['quiet']}>{words.count(quotes)}</span>{' '}
                    {money(totalAmount, currency)}
                  </span>
                </div>
                <Share share={shareOf(Number(totalAmount), max)} kind={status} />
              </li>
            ))}
          </ul>
        );
      })}
    </Chart>
  );
}

/** How many of the answered quotes were accepted. */
export function AcceptanceChart({ acceptance: { accepted, decided } }: api.QuoteStatistics) {
  const { acceptance: words, quotes } = useWords(homeWords);
  const formats = useFormats();
  const share = shareOf(accepted, decided);
  const rejected = decided - accepted;
  return (
    <Chart
      title={decided > 0 ? words.title(formats.percent(share)) : words.none}
      table={
        <NumberTable
          caption={words.title(words.of(accepted, decided))}
          columns={[quotes.state, quotes.number]}
          rows={[
            [quotes.statuses.accepted, formats.number(accepted)],
            [quotes.statuses.rejected, formats.number(rejected)],
          ]}
        />
      }
    >
      <div className={styles['amount']}>
        <Share share={share} kind="accepted" />
        <div className={styles['line']}>
          <PageLink page="/quotes" search={{ view: 'accepted' }}>
            {words.accepted(accepted)}
          </PageLink>
          <PageLink page="/quotes" search={{ view: 'rejected' }}>
            {words.rejected(rejected)}
          </PageLink>
        </div>
      </div>
    </Chart>
  );
}
