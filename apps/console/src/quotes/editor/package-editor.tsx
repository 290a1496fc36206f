import type { AddedUp } from '@tenantry/money';
import { useState, type FocusEvent, type KeyboardEvent } from 'react';
import { Icon } from '../../design/icon.tsx';
import { useLanguage, useWords } from '../../design/language.ts';
import { Menu, MenuEntry } from '../../design/menu.tsx';
import { useToasts } from '../../design/use-toasts.ts';
import { useMoney } from '../../design/money.ts';
import { ConflictNotices } from './conflict-notices.tsx';
import { isUnused, lineFields, type DraftPackage, type PackageField } from './draft.ts';
import { movePackage, putPackage, removePackage, typePackage } from './edits.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import { LineRow } from './line-row.tsx';
import type { Conflict } from './merge.ts';
import { problemsOfPackage } from './reading.ts';
import type { Saver } from './saver.ts';
import { useProblemText } from './use-problem-text.ts';

interface PackageEditorProps {
  readonly saver: Saver;
  readonly conflicts: readonly Conflict[];
  readonly workPackage: DraftPackage;
  readonly index: number;
  /** How many packages there are. */
  readonly count: number;
  readonly currency: string;
  readonly totals: AddedUp['workPackages'][number] | undefined;
}

/** A package: its name, its lines, and what they come to. */
export function PackageEditor(props: PackageEditorProps) {
  const { saver, conflicts, workPackage, currency, totals } = props;
  const words = useWords(editorWords);
  const money = useMoney();
  const { key, name, lines } = workPackage;
  const [isLeft, setLeft] = useState(workPackage.id !== undefined);
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(relatedTarget)) setLeft(true);
  };
  const own = conflicts.filter(({ at }) => at === key);
  const fieldNames = { name: words.packageName, description: words.packageAbout };
  return (
    <section className={styles['package']} aria-label={name || words.packageName} {...{ onBlur }}>
      <PackageHead {...props} isLeft={isLeft} />
      <ConflictNotices {...{ saver, conflicts: own }} label={(field) => fieldNames[field as PackageField]} />
      <div className={styles['columns']} aria-hidden="true">
        {lineFields.map((field) => (
          <span key={field} className={styles[field]}>
            {words.fields[field]}
          </span>
        ))}
        <span className={styles['lineTotal']}>{words.total}</span>
      </div>
      <ol className={styles['lines']} aria-label={words.lines(name)}>
        {lines.map((line, index) => (
          <LineRow
            key={line.key}
            {...{ saver, line, index, currency }}
            packageKey={key}
            count={lines.length - 1}
            total={totals?.items[index]?.totalPrice ?? 0}
            conflicts={conflicts}
          />
        ))}
      </ol>
      <p className={styles['packageTotal']}>
        <span>{words.packageTotal}</span>
        <span>{money(totals?.subtotal ?? 0, currency)}</span>
      </p>
    </section>
  );
}

interface PackageHeadProps extends PackageEditorProps {
  /** Whether somebody was in the package and left it: what is missing is said then. */
  readonly isLeft: boolean;
}

function PackageHead({ saver, workPackage, index, count, isLeft }: PackageHeadProps) {
  const words = useWords(editorWords);
  const toasts = useToasts();
  const language = useLanguage();
  const textOf = useProblemText();
  const { key, name, description } = workPackage;
  const isJudged = isLeft && !isUnused(workPackage);
  const problem = isJudged ? textOf(problemsOfPackage(workPackage).name) : undefined;
  const remove = () => {
    saver.edit(removePackage(key));
    if (isUnused(workPackage)) return;
    toasts.show({ text: words.packageDeleted(name), undo: () => saver.edit(putPackage(workPackage, index)) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    focusIn(event.currentTarget.closest('section'), 'description');
  };
  return (
    <div className={styles['packageHead']} lang={language}>
      <input
        name="packageName"
        className={styles['packageName']}
        value={name}
        placeholder={words.packageName}
        aria-label={words.packageName}
        aria-invalid={problem !== undefined || undefined}
        autoComplete="off"
        aria-describedby={problem === undefined ? undefined : `${key}-problem`}
        maxLength={200}
        data-takes-focus
        onKeyDown={onKeyDown}
        onChange={({ target }) => saver.edit(typePackage(key, { name: target.value }))}
      />
      <Menu label={words.packageMenu(name)} side="end" button={<Icon name="more" />}>
        <MenuEntry isDisabled={index === 0} stays onChoose={() => saver.edit(movePackage(key, index - 1))}>
          {words.moveUp}
        </MenuEntry>
        <MenuEntry
          isDisabled={index === count - 1}
          stays
          onChoose={() => saver.edit(movePackage(key, index + 1))}
        >
          {words.moveDown}
        </MenuEntry>
        <MenuEntry isDanger onChoose={remove}>
          {words.deletePackage}
        </MenuEntry>
      </Menu>
      <textarea
        name="packageDescription"
        className={styles['packageAbout']}
        rows={1}
        value={description}
        placeholder={words.packageAbout}
        aria-label={words.packageAbout}
        onChange={({ target }) => saver.edit(typePackage(key, { description: target.value }))}
      />
      {problem !== undefined && (
        <p id={`${key}-problem`} className={styles['packageProblem']}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Puts the focus into the first field of a name in a part of the editor. */
export const focusIn = (part: Element | null | undefined, name: 'description' | 'packageName'): void =>
  part?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
