import type { ReactNode } from 'react';
import { useWords } from '../design/language.ts';
import styles from './chart.module.css';
import { homeWords } from './home.words.ts';
import { heightOf } from './scale.ts';

interface ChartProps {
  /** What it shows, as a statement. */
  readonly title: string;
  readonly about?: string;
  /** The numbers that it is drawn from. */
  readonly table: ReactNode;
  readonly children: ReactNode;
}

/** A picture of numbers, with the numbers behind it. */
export function Chart({ title, about, table, children }: ChartProps) {
  const { chart: words } = useWords(homeWords);
  return (
    <section className={styles['chart']} aria-label={title}>
      <div>
        <h2 className={styles['title']}>{title}</h2>
        {about !== undefined && <p className={styles['about']}>{about}</p>}
      </div>
      {children}
      <details className={styles['behind']}>
        <summary>{words.table}</summary>
        {table}
      </details>
    </section>
  );
}

interface TableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Each begins with its name. */
  readonly rows: readonly (readonly string[])[];
}

/** The numbers of a chart. */
export function NumberTable({ caption, columns, rows }: TableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard where it is wider than its place
    <div className={styles['scroll']} role="region" aria-label={caption} tabIndex={0}>
      <table className={styles['table']}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={columns[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BarsProps {
  readonly values: readonly number[];
  /** The highest of all rows of the chart, so that they compare. */
  readonly max: number;
  /** What a bar says when it is pointed at. */
  readonly labels: readonly string[];
}

/** A row of small bars, one for each span of time; the table behind it says the same in words. */
export function Bars({ values, max, labels }: BarsProps) {
  const [step, gap] = [100 / values.length, 1.5];
  return (
    <svg className={styles['bars']} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, index) => {
        const height = heightOf(value, max) * 100;
        return (
          <g key={labels[index]}>
            <title>{labels[index]}</title>
            <rect className={styles['ground']} x={index * step} width={step - gap} y="0" height="100" />
            <rect
              className={styles['bar']}
              x={index * step}
              width={step - gap}
              y={100 - height}
              height={height}
            />
          </g>
        );
      })}
    </svg>
  );
}
