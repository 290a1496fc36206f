import { Button } from '../../design/button.tsx';
import { useWords } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import { Row } from '../../design/page.tsx';
import { decisionsOf } from './decisions.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import type { Conflict } from './merge.ts';
import type { Saver } from './saver.ts';

interface ConflictNoticesProps {
  readonly saver: Saver;
  readonly conflicts: readonly Conflict[];
  /** What the field is called that they are about. */
  readonly label: string | ((field: string) => string);
}

/** What two people changed at once, with both versions and the choice between them. */
export function ConflictNotices({ saver, conflicts, label }: ConflictNoticesProps) {
  const { conflict: words } = useWords(editorWords);
  return conflicts.map((conflict) => {
    const { kind, field = '', mine = '', theirs = '' } = conflict;
    const { keepMine, takeTheirs } = decisionsOf(conflict);
    const decide = (change: typeof keepMine) => () => saver.decide(conflict, change);
    const name = typeof label === 'string' ? label : label(field);
    return (
      <Notice key={`${kind} ${field}`} kind="problem">
        <p>{kind === 'field' ? words.field(name) : words[kind]}</p>
        {kind === 'field' && (
          <dl className={styles['versions']}>
            <dt>{words.mine}</dt>
            <dd>{mine || words.empty}</dd>
            <dt>{words.theirs}</dt>
            <dd>{theirs || words.empty}</dd>
          </dl>
        )}
        <Row>
          {kind === 'order' ? (
            <Button onClick={decide(keepMine)}>{words.dismiss}</Button>
          ) : (
            <>
              <Button onClick={decide(keepMine)}>{choices(words, kind).mine}</Button>
              <Button onClick={decide(takeTheirs)}>{choices(words, kind).theirs}</Button>
            </>
          )}
        </Row>
      </Notice>
    );
  });
}

interface ConflictWords {
  readonly keepMine: string;
  readonly takeTheirs: string;
  readonly keep: string;
  readonly remove: string;
}

/** Mine is to keep what they deleted, or to delete what they changed. */
function choices(words: ConflictWords, kind: Conflict['kind']) {
  if (kind === 'deleted') return { mine: words.keep, theirs: words.remove };
  if (kind === 'restored') return { mine: words.remove, theirs: words.keep };
  return { mine: words.keepMine, theirs: words.takeTheirs };
}
