import { shownEmail } from '@tenantry/text';
import { TextArea } from '../../design/text-area.tsx';
import { useLanguage, useWords } from '../../design/language.ts';
import { useId } from 'react';
import { CustomerField } from '../customer-field.tsx';
import { ConflictNotices } from './conflict-notices.tsx';
import type { Draft, HeadField } from './draft.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';
import type { Conflict } from './merge.ts';
import { problemsOfHead } from './reading.ts';
import type { Saver } from './saver.ts';
import { useProblemText } from './use-problem-text.ts';

interface HeadProps {
  readonly saver: Saver;
  readonly draft: Draft;
  readonly conflicts: readonly Conflict[];
}

/** Whom a quote is for, and what it is about. */
export function Head({ saver, draft, conflicts }: HeadProps) {
  const words = useWords(editorWords);
  const problems = problemsOfHead(draft, useLanguage());
  const textOf = useProblemText();
  const field = (name: HeadField, label: string) => ({
    name,
    label,
    value: draft[name],
    error: textOf(problems[name]),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      saver.edit((before) => ({ ...before, [name]: target.value })),
  });
  const about = (name: string) => conflicts.filter(({ at }) => at === name);
  return (
    <div className={styles['head']}>
      <div>
        <CustomerField
          label={words.customer}
          hint={shownEmail(draft.customer.email) || words.customerHint}
          name={draft.customer.name}
          onChoose={({ id, name, email, kind }) => {
            const customer = { id, name, email, isNew: kind === 'new' };
            saver.edit((before) => ({ ...before, customer }));
          }}
        />
        <ConflictNotices {...{ saver }} conflicts={about('customer')} label={words.customer} />
      </div>
      <div>
        <ConflictNotices {...{ saver }} conflicts={about('title')} label={words.title} />
        <TextArea {...field('description', words.about)} hint={words.aboutHint} rows={2} />
        <ConflictNotices {...{ saver }} conflicts={about('description')} label={words.about} />
      </div>
    </div>
  );
}

/** What a quote is about: the heading of its page, which is typed into. */
export function TitleField({ saver, draft }: HeadProps) {
  const words = useWords(editorWords);
  const problem = useProblemText()(problemsOfHead(draft, useLanguage()).title);
  const id = useId();
  return (
    <>
      <input
        name="title"
        className={styles['title']}
        value={draft.title}
        placeholder={words.title}
        aria-label={words.title}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : id}
        required
        autoComplete="off"
        maxLength={200}
        onChange={({ target }) => saver.edit((before) => ({ ...before, title: target.value }))}
      />
      {problem !== undefined && (
        <p id={id} className={styles['problem']}>
          {problem}
        </p>
      )}
    </>
  );
}
