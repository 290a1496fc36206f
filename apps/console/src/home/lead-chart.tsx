import type { api } from '@tenantry/client';
import { useFormats, useWords } from '../design/language.ts';
import { Bars, Chart, NumberTable } from './chart.tsx';
import styles from './chart.module.css';
import { homeWords } from './home.words.ts';
import { PageLink } from './page-link.tsx';

const statuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;

/** Leads that entered each state, week by week. */
export function LeadChart({ byStatus, series }: api.LeadStatistics) {
  const { leads: words } = useWords(homeWords);
  const formats = useFormats();
  const entered = (status: (typeof statuses)[number]) => series.map((week) => week.entered[status]);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const max = Math.max(...statuses.flatMap(entered));
  const weeks = series.map(({ start }) => formats.date(start));
  return (
    <Chart
      title={words.title(sum(entered('new')), sum(entered('won')))}
      about={words.about}
      table={
        <NumberTable
          caption={words.table}
          columns={[words.week, ...statuses.map((status) => words.statuses[status])]}
          rows={[
            ...series.map((week, index) => [
              weeks[index] ?? '',
              ...statuses.map((status) => formats.number(week.entered[status])),
            ]),
            [words.now, ...statuses.map((status) => formats.number(byStatus[status]))],
          ]}
        />
      }
    >
      <ul className={styles['rows']}>
        {statuses.map((status) => (
          <li key={status} className={styles['row']}>
            <PageLink page="/leads" search={{ status }}>
              {words.statuses[status]}
            </PageLink>
            <Bars
              values={entered(status)}
              max={max}
              labels={entered(status).map((leads, index) => words.bar(leads, weeks[index] ?? ''))}
            />
            <span className={`${styles['value']} ${styles['large']}`}>
              {formats.number(byStatus[status])}
            </span>
          </li>
        ))}
      </ul>
    </Chart>
  );
}
