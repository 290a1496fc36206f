import { useFormats } from '../design/language.ts';
import type { Findings } from './choices.ts';
import { useImportWords, useThing } from './thing.queries.ts';
import styles from './review-file.module.css';

/** What the first rows of a file would become. */
export function Sample({ rows }: { readonly rows: Findings['sample'] }) {
  const { none, check } = useImportWords();
  const { fields, required, useLabels } = useThing();
  const labels = useLabels();
  const formats = useFormats();
  return (
    <ul className={styles['sample']}>
      {rows.map(({ line, item, warnings }) => (
        <li key={line}>
          <span className={styles['line']}>{check.line(formats.number(line))}</span>
          <dl>
            {fields
              .map((field) => ({ field, text: item[field] ?? null }))
              .filter(({ field, text }) => text !== null || required.includes(field))
              .map(({ field, text }) => (
                <div key={field}>
                  <dt>{labels[field]}</dt>
                  <dd>{text === null ? <em>{none}</em> : <bdi>{text.slice(0, 300)}</bdi>}</dd>
                </div>
              ))}
          </dl>
          {warnings.map((warning) => (
            <p key={warning} className={styles['warning']}>
              {check.warning[warning]}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}
