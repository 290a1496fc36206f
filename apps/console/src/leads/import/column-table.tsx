import { useFormats, useWords } from '../../design/language.ts';
import { leadWords } from '../leads.words.ts';
import { columnUses, columnUse, withUse, type ChosenMapping, type Findings } from './choices.ts';
import { importWords } from './import.words.ts';
import styles from './review-file.module.css';

interface ColumnTableProps {
  readonly findings: Findings;
  readonly onChange: (mapping: ChosenMapping) => void;
}

/** What each column is, above its first cells. */
export function ColumnTable({ findings: { columns, mapping, sample }, onChange }: ColumnTableProps) {
  const { columns: words } = useWords(importWords);
  const { lead } = useWords(leadWords);
  const formats = useFormats();
  const nameOf = (use: (typeof columnUses)[number]) =>
    use === 'otherName' ? words.otherName : use === '' ? words.out : lead.fields[use];
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
                      onChange(
                        withUse(mapping, column, columnUses.find((each) => each === target.value) ?? ''),
                      )
                    }
                  >
                    <option value="">{words.out}</option>
                    {columnUses.map((each) => (
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
