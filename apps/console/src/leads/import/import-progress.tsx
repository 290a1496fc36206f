import { Link } from '@tanstack/react-router';
import { Button } from '../../design/button.tsx';
import { useFormats, useWords } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import { Panel, Row } from '../../design/page.tsx';
import { Failure } from '../../failures/failure.tsx';
import type { BadRow, GoodRow } from './checked-file.ts';
import { useImportRun } from './import.queries.ts';
import styles from './import-progress.module.css';
import { importWords } from './import.words.ts';
import { RefusedRows } from './refused-rows.tsx';

interface ProgressProps {
  readonly good: readonly GoodRow[];
  /** Rows that were left out before anything was sent. */
  readonly bad: readonly BadRow[];
}

/** The progress of an import, the imported rows if it has stopped, and the refused ones. */
export function ImportProgress({ good, bad }: ProgressProps) {
  const { run: words } = useWords(importWords);
  const formats = useFormats();
  const { state, stop, resume } = useImportRun(good);
  const { status, total, settled, imported, refused, unsure, error } = state;
  const out = [...bad, ...refused].toSorted((one, other) => one.line - other.line);
  const isOver = status === 'done' || status === 'stopped' || status === 'failed';
  return (
    <div className={styles['wide']}>
      <Panel title={words.title}>
        <progress className={styles['progress']} max={total} value={settled} aria-label={words.title} />
        <p>{words.progress(formats.number(settled), formats.number(total))}</p>
        {status === 'waiting' && <Notice kind="news">{words.waiting}</Notice>}
        {status === 'stopping' && <Notice kind="news">{words.stopping}</Notice>}
        {status === 'done' && (
          <Notice kind="success">{words.done(imported, formats.number(imported))}</Notice>
        )}
        {(status === 'stopped' || status === 'failed') && (
          <Notice kind="news">
            <p>{words.stopped(formats.number(imported), formats.number(total))}</p>
            {unsure > 0 && <p>{words.unsure(formats.number(unsure))}</p>}
          </Notice>
        )}
        {status === 'failed' && <Failure error={error} />}
        {isOver && out.length > 0 && (
          <>
            <p>{words.refused(out.length, formats.number(out.length))}</p>
            <RefusedRows rows={out} />
          </>
        )}
        <Row>
          {(status === 'running' || status === 'waiting') && <Button onClick={stop}>{words.stop}</Button>}
          {(status === 'stopped' || status === 'failed') && (
            <Button kind="primary" onClick={resume}>
              {words.resume}
            </Button>
          )}
          {isOver && <Link to="/leads">{words.show}</Link>}
        </Row>
      </Panel>
    </div>
  );
}
