import { Link } from '@tanstack/react-router';
import { Button, ButtonLink } from '../design/button.tsx';
import { useFormats } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Panel, Row } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import type { ImportChoices } from './choices.ts';
import { useImportRun, useImports, type ChosenFile } from './import.queries.ts';
import styles from './import-progress.module.css';
import { useImportWords, useThing } from './thing.queries.ts';
import { UndoImport } from './past-imports.tsx';

interface ProgressProps {
  readonly file: ChosenFile;
  readonly choices: ImportChoices;
  /** Rows of the file. */
  readonly rows: number;
  readonly onBack: () => void;
}

/** The progress of an import, and what has become of its rows once it is over. */
export function ImportProgress({ file, choices, rows, onBack }: ProgressProps) {
  const { run: words, choose, of } = useImportWords();
  const { page, url } = useThing();
  const formats = useFormats();
  const { state, stop, start } = useImportRun(file, choices);
  const { status, report, error } = state;
  const isRunning = status === 'running' || status === 'waiting';
  const { data: imports } = useImports({ isRunning });
  const [latest] = imports ?? [];
  const read = status === 'done' ? rows : latest?.status === 'running' ? latest.rows : 0;
  const { imported = 0, filled = 0, leftOut = 0, importId = null } = report ?? {};
  const out = rows - imported - filled;
  return (
    <div className={styles['wide']}>
      <Panel title={words.title}>
        <progress className={styles['progress']} max={rows} value={read} aria-label={words.title} />
        <p>{words.progress(formats.number(read), formats.number(rows))}</p>
        {status === 'waiting' && <Notice kind="news">{words.waiting}</Notice>}
        {status === 'done' && (
          <Notice kind="success">
            <p>{words.done(imported, formats.number(imported))}</p>
            {filled > 0 && <p>{of.filled(filled, formats.number(filled))}</p>}
          </Notice>
        )}
        {status === 'stopped' && <Notice kind="news">{words.stopped}</Notice>}
        {status === 'failed' && <Failure error={error} />}
        {status === 'done' && out > 0 && <p>{words.refused(out, formats.number(out))}</p>}
        <Row>
          {isRunning && <Button onClick={stop}>{words.stop}</Button>}
          {(status === 'stopped' || status === 'failed') && (
            <Button kind="primary" onClick={start}>
              {words.resume}
            </Button>
          )}
          {leftOut > 0 && importId !== null && (
            <ButtonLink href={`${url}/imports/${importId}/left-out`} download={of.file}>
              {words.report}
            </ButtonLink>
          )}
          {!isRunning && <Button onClick={onBack}>{choose.other}</Button>}
          {!isRunning && <Link to={page}>{of.showAll}</Link>}
        </Row>
        {status === 'done' && importId !== null && imported + filled > 0 && <UndoImport id={importId} />}
      </Panel>
    </div>
  );
}
