import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useFormats, useWords } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import { Panel, Row, Stack } from '../../design/page.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { leadTexts } from '../lead-texts.ts';
import { leadWords } from '../leads.words.ts';
import { checkFile, type CheckedFile } from './checked-file.ts';
import { guessByContent, guessColumns, isHeader, withColumn, type Columns } from './columns.ts';
import { csvRows, separatorOf } from './csv.ts';
import { importWords } from './import.words.ts';
import styles from './review-file.module.css';
import { RefusedRows } from './refused-rows.tsx';
import { inSlices } from './slices.ts';

interface ReviewProps {
  readonly text: string;
  readonly onStart: (file: CheckedFile) => void;
  readonly onBack: () => void;
}

const shownRows = 4;

/** What the columns of a file are, and what of it can be imported: nothing has been sent yet. */
export function ReviewFile({ text, onStart, onBack }: ReviewProps) {
  const { columns: words } = useWords(importWords);
  const separator = useMemo(() => separatorOf(text), [text]);
  const first = useMemo(() => firstRows(text, separator), [text, separator]);
  const header = first[0] ?? [];
  const [hasHeader, setHasHeader] = useState(() => isHeader(header));
  const [columns, setColumns] = useState<Columns>(() =>
    isHeader(header) ? guessColumns(header) : guessByContent(header),
  );
  const isComplete = columns.includes('name') && columns.includes('email');
  return (
    <Stack>
      <div className={styles['wide']}>
        <Panel title={words.title}>
          <p>{words.text(separator)}</p>
          <label className={styles['check']}>
            <input
              type="checkbox"
              checked={hasHeader}
              onChange={({ target }) => setHasHeader(target.checked)}
            />{' '}
            {words.header}
          </label>
          <Preview {...{ first, columns, hasHeader }} onColumns={setColumns} />
          {!isComplete && <Notice kind="problem">{words.missing}</Notice>}
        </Panel>
      </div>
      {isComplete && (
        <Checked
          key={JSON.stringify([columns, hasHeader])}
          {...{ text, separator, columns, hasHeader, onStart, onBack }}
        />
      )}
    </Stack>
  );
}

function firstRows(text: string, separator: ReturnType<typeof separatorOf>): (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  for (const { cells } of csvRows(text.replace(/^\ufeff/, ''), separator)) {
    rows.push(cells.slice(0, 40));
    if (rows.length > shownRows) break;
  }
  return rows;
}

interface PreviewProps {
  readonly first: readonly (readonly string[])[];
  readonly columns: Columns;
  readonly hasHeader: boolean;
  readonly onColumns: (columns: Columns) => void;
}

function Preview({ first, columns, hasHeader, onColumns }: PreviewProps) {
  const { columns: words } = useWords(importWords);
  const { lead } = useWords(leadWords);
  const formats = useFormats();
  const nameOf = (n: number) => (hasHeader ? (first[0]?.[n] ?? '') : formats.number(n + 1));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls can be reached by keys.
    <div className={styles['scroller']} tabIndex={0} role="region" aria-label={words.preview}>
      <table className={styles['preview']}>
        <thead>
          <tr>
            {columns.map((field, n) => (
              // oxlint-disable-next-line react/no-array-index-key -- A column is its place.
              <th key={n} scope="col">
                <select
                  aria-label={words.label(nameOf(n))}
                  className={styles['select']}
                  value={field ?? ''}
                  onChange={({ target }) =>
                    onColumns(
                      withColumn(
                        columns,
                        n,
                        leadTexts.find((each) => each === target.value),
                      ),
                    )
                  }
                >
                  <option value="">{words.out}</option>
                  {leadTexts.map((each) => (
                    <option key={each} value={each}>
                      {lead.fields[each]}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- A row is its place.
            <tr key={row} className={row === 0 && hasHeader ? styles['names'] : undefined}>
              {columns.map((_, n) => (
                // oxlint-disable-next-line react/no-array-index-key -- A cell is its place.
                <td key={n}>
                  <bdi>{(cells[n] ?? '').slice(0, 80)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CheckedProps extends ReviewProps {
  readonly separator: ReturnType<typeof separatorOf>;
  readonly columns: Columns;
  readonly hasHeader: boolean;
}

function Checked({ text, separator, columns, hasHeader, onStart, onBack }: CheckedProps) {
  const { check: words } = useWords(importWords);
  const formats = useFormats();
  const [file, setFile] = useState<CheckedFile>();
  useEffect(() => {
    const checking = new AbortController();
    const work = checkFile({ text, separator, columns, hasHeader });
    inSlices(work, checking.signal).then(setFile, () => undefined);
    return () => checking.abort();
  }, [text, separator, columns, hasHeader]);
  if (!file) return <Skeleton label={words.checking} lines={4} />;
  const { good, bad } = file;
  return (
    <div className={styles['wide']}>
      <Panel title={words.title}>
        <p role="status">{words.good(good.length, formats.number(good.length))}</p>
        {bad.length > 0 && (
          <>
            <p>{words.bad(bad.length, formats.number(bad.length))}</p>
            <RefusedRows rows={bad} />
          </>
        )}
        <Row>
          {good.length > 0 && (
            <Button kind="primary" onClick={() => onStart(file)}>
              {words.start(good.length, formats.number(good.length))}
            </Button>
          )}
          <Button onClick={onBack}>{words.other}</Button>
        </Row>
      </Panel>
    </div>
  );
}
