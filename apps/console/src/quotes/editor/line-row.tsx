import { memo, useState, type ClipboardEvent, type FocusEvent, type KeyboardEvent } from 'react';
import { Icon } from '../../design/icon.tsx';
import { useLanguage, useWords } from '../../design/language.ts';
import { Menu, MenuEntry } from '../../design/menu.tsx';
import { useMoney } from '../../design/money.ts';
import { useToasts } from '../../design/use-toasts.ts';
import { useAnnounce } from './announcing.tsx';
import { ConflictNotices } from './conflict-notices.tsx';
import { isBlank, lineFields, type DraftLine, type LineField } from './draft.ts';
import { insertLines, moveLine, putLine, removeLine, typeLine } from './edits.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import { LineCell } from './line-cell.tsx';
import { LineHandle } from './line-handle.tsx';
import type { Conflict } from './merge.ts';
import { linesFromClipboard } from './paste.ts';
import { problemsOfLine } from './reading.ts';
import type { Saver } from './saver.ts';
import { useProblemText } from './use-problem-text.ts';

interface LineRowProps {
  readonly saver: Saver;
  readonly packageKey: string;
  readonly line: DraftLine;
  readonly index: number;
  /** How many lines there are, without the blank one. */
  readonly count: number;
  readonly currency: string;
  readonly total: number;
  readonly conflicts: readonly Conflict[];
}

/** A line to type into. Only the one that changes is drawn again. */
export const LineRow = memo(function Line(props: LineRowProps) {
  const { saver, packageKey, line, index, count, currency, total } = props;
  const words = useWords(editorWords);
  const toasts = useToasts();
  const [language, money, announce, textOf] = [useLanguage(), useMoney(), useAnnounce(), useProblemText()];
  const [isLeft, setLeft] = useState(line.id !== undefined);
  const place = { packageKey, lineKey: line.key };
  const isTyped = !isBlank(line);
  const problems = isTyped && isLeft ? problemsOfLine(line, language) : {};
  const conflicts = props.conflicts.filter(({ at }) => at === line.key);

  function moveTo(to: number) {
    if (to < 0 || to >= count || !isTyped) return;
    saver.edit(moveLine(place, to));
    announce(words.moved(to + 1, count));
  }
  function onKeyDown(event: KeyboardEvent<HTMLLIElement>) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.altKey && step !== undefined) {
      event.preventDefault();
      moveTo(index + step);
    } else if (event.key === 'Enter' && !event.shiftKey && isField(event.target)) {
      event.preventDefault();
      focusDescription(event.currentTarget.nextElementSibling);
    }
  }
  function onPaste(event: ClipboardEvent<HTMLLIElement>) {
    const text = event.clipboardData.getData('text/plain');
    // Several rows of one column are text, unless there is none yet.
    if (isTyped && !text.includes('\t')) return;
    const lines = linesFromClipboard(text, { language, unit: line.unit || words.unit });
    if (!lines) return;
    event.preventDefault();
    const list = event.currentTarget.parentElement;
    saver.edit(insertLines(place, lines));
    announce(words.pasted(lines.length));
    setTimeout(() => focusDescription(list?.lastElementChild));
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLLIElement>) => {
    if (currentTarget.contains(relatedTarget)) return;
    setLeft(true);
    // One that was emptied goes; the blank one at the end stays.
    if (!isTyped && index < count) saver.edit(removeLine(place));
  };
  const type = (field: LineField, text: string) => {
    const unit = line.unit === '' && field !== 'unit' ? { unit: words.unit } : {};
    saver.edit(typeLine(place, { ...unit, [field]: text }));
  };
  return (
    <li className={styles['line']} data-line={line.key} {...{ onKeyDown, onPaste, onBlur }}>
      {isTyped ? <LineHandle label={words.handle(index + 1)} index={index} onMove={moveTo} /> : <span />}
      {lineFields.map((field) => (
        <LineCell
          key={field}
          {...{ field, line, currency }}
          label={words.field(words.fields[field], index + 1)}
          name={field === 'description' && !isTyped ? words.newLine : words.fields[field]}
          problem={textOf(problems[field])}
          onType={type}
        />
      ))}
      <output className={styles['lineTotal']}>{isTyped ? money(total, currency) : ''}</output>
      <div className={styles['lineMenu']}>
        {isTyped && (
          <Menu label={words.lineMenu(index + 1)} side="end" button={<Icon name="more" />}>
            <MenuEntry isDisabled={index === 0} stays onChoose={() => moveTo(index - 1)}>
              {words.moveUp}
            </MenuEntry>
            <MenuEntry isDisabled={index === count - 1} stays onChoose={() => moveTo(index + 1)}>
              {words.moveDown}
            </MenuEntry>
            <MenuEntry
              isDanger
              onChoose={() => {
                saver.edit(removeLine(place));
                toasts.show({
                  text: words.lineDeleted,
                  undo: () => saver.edit(putLine(place, line, index)),
                });
              }}
            >
              {words.deleteLine}
            </MenuEntry>
          </Menu>
        )}
      </div>
      {conflicts.length > 0 && (
        <div className={styles['conflicts']}>
          <ConflictNotices {...{ saver, conflicts }} label={(field) => words.fields[field as LineField]} />
        </div>
      )}
    </li>
  );
});

const isField = (target: EventTarget): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

const focusDescription = (row: Element | null | undefined) =>
  row?.querySelector<HTMLElement>('[name="description"]')?.focus();
