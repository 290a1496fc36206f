import type { api } from '@tenantry/client';
import { useFormats, useWords } from '../design/language.ts';
import { useMoney } from '../design/money.ts';
import { Bars, Chart, NumberTable } from './chart.tsx';
import styles from './chart.module.css';
import { homeWords } from './home.words.ts';
import { PageLink } from './page-link.tsx';
import { amountsOf } from '../design/amounts.ts';

const steps = ['sent', 'accepted', 'rejected'] as const;

/** Quotes that were sent and answered, week by week, with what they come to in each currency. */
export function QuotePaceChart({ series }: Pick<api.QuoteStatistics, 'series'>) {
  const { pace: words, quotes, leads } = useWords(homeWords);
  const formats = useFormats();
  const money = useMoney();
  const counts = (step: (typeof steps)[number]) => series.map((week) => week[step].quotes);
  const sum = (step: (typeof steps)[number]) => counts(step).reduce((total, value) => total + value, 0);
  const worth = (of: readonly api.CountedQuotes[]) =>
    amountsOf(of).map(([currency, amount]) => money(amount, currency));
  const max = Math.max(...steps.flatMap(counts));
  const weeks = series.map(({ start }) => formats.date(start));
  return (
    <Chart
      title={words.title(sum('sent'), sum('accepted'))}
      about={words.about}
      table={
        <NumberTable
          caption={words.table}
          columns={[leads.week, ...steps.map((step) => quotes.statuses[step])]}
          rows={series.map((week, index) => [
            weeks[index] ?? '',
            ...steps.map((step) =>
              [formats.number(week[step].quotes), ...worth([week[step]])].join(words.between),
            ),
          ])}
        />
      }
    >
      <ul className={styles['rows']}>
        {steps.map((step) => (
          <li key={step} className={styles['row']}>
            <PageLink page="/quotes" search={{ view: step }}>
              {quotes.statuses[step]}
            </PageLink>
            <Bars
              values={counts(step)}
              max={max}
              labels={counts(step).map((value, index) => words.bar(quotes.count(value), weeks[index] ?? ''))}
            />
            <span className={`${styles['value']} ${styles['large']}`}>{formats.number(sum(step))}</span>
            <span className={styles['worth']}>
              {worth(series.map((week) => week[step])).join(words.between)}
            </span>
          </li>
        ))}
      </ul>
    </Chart>
  );
}
