import type { api } from '@tenantry/client';
import { Button } from '../../design/button.tsx';
import { useWords } from '../../design/language.ts';
import { Failure } from '../../failures/failure.tsx';
import { useForgetQuotes } from '../quotes.queries.ts';
import { StatusBadge } from '../status-badge.tsx';
import { DraftMenu } from './draft-menu.tsx';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import type { Progress } from './progress.ts';
import { placeOf, type Refused, type Saver } from './saver.ts';

interface StatusBarProps {
  readonly saver: Saver;
  readonly progress: Progress;
  readonly quote: api.Quote;
  readonly refused: readonly Refused[];
  readonly isPreviewed: boolean;
  readonly onPreview: () => void;
  readonly onSend: () => void;
}

/** How far a draft is saved, and what can be done with it. */
export function StatusBar(props: StatusBarProps) {
  const { saver, progress, quote, refused, isPreviewed, onPreview, onSend } = props;
  const words = useWords(editorWords);
  const forget = useForgetQuotes();
  return (
    <div className={styles['bar']}>
      <div className={styles['barLine']}>
        <StatusBadge status={quote.status} />
        <p role="status" className={styles['saved']} data-kind={progress.kind}>
          <ProgressText progress={progress} />
        </p>
        <div className={styles['actions']}>
          <DraftMenu quote={quote} />
          <Button aria-pressed={isPreviewed} onClick={onPreview}>
            {isPreviewed ? words.closePreview : words.preview}
          </Button>
          <Button kind="primary" onClick={onSend}>
            {words.send}
          </Button>
        </div>
      </div>
      {progress.kind === 'failed' && <Failure error={progress.error} onRetry={() => void saver.flush()} />}
      {refused.map(({ step, error }) => (
        <Failure key={placeOf(step)} error={error} />
      ))}
      {progress.kind === 'closed' && (
        <div className={styles['closed']} role="alert">
          <p>{words.closed.text}</p>
          <Button onClick={() => void forget()}>{words.closed.show}</Button>
        </div>
      )}
    </div>
  );
}

function ProgressText({ progress }: { readonly progress: Progress }) {
  const { status: words } = useWords(editorWords);
  switch (progress.kind) {
    case 'saved':
      return words.saved;
    case 'saving':
      return words.saving;
    case 'incomplete':
      return words.incomplete(progress.places.length);
    case 'incomplete-head':
      return words.incompleteHead;
    case 'undecided':
      return words.undecided;
    default:
      return words.unsaved;
  }
}
