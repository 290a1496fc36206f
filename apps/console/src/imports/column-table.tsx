import { useFormats } from '../design/language.ts';
import { columnUses, columnUse, withUse, type Findings, type Mapping } from './choices.ts';
import { useImportWords, useThing } from './thing.queries.ts';
import styles from './review-file.module.css';

interface ColumnTableProps {
  readonly findings: Findings;
  readonly onChange: (mapping: Mapping) => void;
}

/** What each column is, above its first cells. */
export function ColumnTable({ findings: { columns, mapping, sample }, onChange }: ColumnTableProps) {
  const { columns: words } = useImportWords();
  const { fields, useLabels } = useThing();
  const labels = useLabels();
  const uses = columnUses(fields);
  const formats = useFormats();
  const nameOf = (use: (typeof uses)[number]) =>
    use === 'otherName' ? words.otherName : use === '' ? words.out : labels[use];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls can be reached by keys.
    <div className={styles['scroller']} tabIndex={0} role="region" aria-label={words.preview}>
      <table className={styles['preview']}>
        <thead>
          <tr>
            {columns.map(({ column, name, isLabel }) => (
              <th key={column} scope="col">
                <bdi className={styles['name']}>{name || formats.number(column)}</bdi>
                {isLabel ? (
                  <span className={styles['label']}>{words.isLabel}</span>
                ) : (
                  <select
                    aria-label={words.label(name || formats.number(column))}
                    className={styles['select']}
                    data-used={columnUse(mapping, column) !== '' || undefined}
                    value={columnUse(mapping, column)}
                    onChange={({ target }) =>
                      onChange(withUse(mapping, column, uses.find((each) => each === target.value) ?? ''))
                    }
                  >
                    <option value="">{words.out}</option>
                    {uses.map((each) => (
                      <option key={each} value={each}>
                        {nameOf(each)}
                      </option>
                    ))}
                  </select>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.slice(0, 3).map(({ line, cells }) => (
            <tr key={line}>
              {columns.map(({ column }) => (
                <td key={column}>
                  <bdi>{cells[column - 1] ?? ''}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
