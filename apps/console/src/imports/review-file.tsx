import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Choice, Choices as ChoicesField } from '../design/choices.tsx';
import { useFormats } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Panel, Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { CheckedRows } from './checked-rows.tsx';
import type { Choices, ImportChoices, Mapping, Reading } from './choices.ts';
import { ColumnTable } from './column-table.tsx';
import { FileSettings } from './file-settings.tsx';
import { useCheck, useFindings, type ChosenFile } from './import.queries.ts';
import { useImportWords, useThing } from './thing.queries.ts';
import { Sample } from './sample.tsx';
import styles from './review-file.module.css';

interface ReviewProps {
  readonly file: ChosenFile;
  readonly onStart: (choices: ImportChoices, rows: number) => void;
  readonly onBack: () => void;
}

/** What a file was found to be, each guess as a control, and what would become of its rows: nothing is imported yet. */
export function ReviewFile({ file, onStart, onBack }: ReviewProps) {
  const { choose, columns: words, of } = useImportWords();
  const { fields, required } = useThing();
  const hasNotes = fields.includes('notes');
  const [reading, setReading] = useState<Reading>({});
  const [mapping, setMapping] = useState<Mapping>({});
  const [rest, setRest] = useState<'notes' | 'out'>('out');
  const choices = { ...reading, ...mapping, ...(hasNotes && { rest }) };
  const { data: findings, error, isPlaceholderData, refetch } = useFindings(file, choices);
  const isComplete = findings !== undefined && required.every((field) => findings.mapping[field] !== '');
  /** Columns are looked at anew where the file is read in another way, and the header unless it was chosen. */
  const readAs = (changed: Reading) => {
    const { encoding, separator, sheet } = reading;
    setReading({
      ...(encoding && { encoding }),
      ...(separator && { separator }),
      ...(sheet && { sheet }),
      ...changed,
    });
    setMapping({});
  };
  return (
    <Stack>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!findings && !error && <Skeleton label={words.reading} lines={6} />}
      {findings && (
        <div className={styles['wide']} aria-busy={isPlaceholderData}>
          <Stack>
            <Panel title={words.title}>
              <FileSettings {...{ findings }} onChange={readAs} />
            </Panel>
            <Panel title={words.columns}>
              <p>{of.explained}</p>
              <ColumnTable {...{ findings }} onChange={setMapping} />
              {hasNotes && (
                <ChoicesField legend={words.rest}>
                  <Choice
                    type="checkbox"
                    label={words.keep}
                    checked={rest === 'notes'}
                    onChange={({ target }) => setRest(target.checked ? 'notes' : 'out')}
                  />
                </ChoicesField>
              )}
              {!isComplete && <Notice kind="problem">{of.missing}</Notice>}
            </Panel>
            <Panel title={of.sample}>
              <Sample rows={findings.sample} />
            </Panel>
            {isComplete && <Checked {...{ file, choices, onStart, isReady: !isPlaceholderData }} />}
          </Stack>
        </div>
      )}
      <Row>
        <Button onClick={onBack}>{choose.other}</Button>
      </Row>
    </Stack>
  );
}

interface CheckedProps extends Pick<ReviewProps, 'file' | 'onStart'> {
  readonly choices: Choices;
  readonly isReady: boolean;
}

/** What would become of the rows, and the decision about all duplicates. */
function Checked({ file, choices: read, isReady, onStart }: CheckedProps) {
  const [decision, setDuplicates] = useState<'skip' | 'fill' | 'import'>('skip');
  const choices = { ...read, duplicates: decision };
  const { check: words, of } = useImportWords();
  const formats = useFormats();
  const { data: report, error, isPlaceholderData, refetch } = useCheck(file, choices, { isReady });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!report) return <Skeleton label={words.checking} lines={4} />;
  const { imported, rejected, duplicates = 0, skipped = 0, warned = 0, rows } = report;
  const taken = rows - rejected - skipped;
  return (
    <Panel title={words.title}>
      <p role="status">{of.good(imported, formats.number(imported))}</p>
      {rejected > 0 && <p>{words.bad(rejected, formats.number(rejected))}</p>}
      {warned > 0 && <p>{words.warned(warned, formats.number(warned))}</p>}
      {duplicates > 0 && (
        <ChoicesField legend={of.duplicates(duplicates, formats.number(duplicates))}>
          {(['skip', 'fill', 'import'] as const).map((each) => (
            <Choice
              key={each}
              type="radio"
              name="duplicates"
              label={{ ...words.duplicate, ...of.duplicate }[each]}
              checked={decision === each}
              onChange={() => setDuplicates(each)}
            />
          ))}
        </ChoicesField>
      )}
      <CheckedRows verdicts={report.verdicts ?? []} />
      {taken > 0 && (
        <Row>
          <Button
            kind="primary"
            isBusy={isPlaceholderData || !isReady}
            onClick={() => onStart(choices, rows)}
          >
            {words.start(taken, formats.number(taken))}
          </Button>
        </Row>
      )}
    </Panel>
  );
}
