import { useState } from 'react';
import { useLanguage, useWords, type Language } from '../../design/language.ts';
import { unitPriceFormat } from '../unit-price.ts';
import { formatDecimal, isAmbiguous, parseDecimal } from './decimals.ts';
import type { DraftLine, LineField } from './draft.ts';
import styles from './editor.module.css';
import { editorWords } from './editor.words.ts';

interface LineCellProps {
  readonly field: LineField;
  readonly line: DraftLine;
  readonly label: string;
  /** What it is called where there is no room for titles of columns. */
  readonly name: string;
  /** What is wrong with it. */
  readonly problem: string | undefined;
  readonly currency: string;
  readonly onType: (field: LineField, text: string) => void;
}

/** How numbers are written. */
interface Writing {
  readonly language: Language;
  readonly currency: string;
}

/** A number of a line as the editor writes it: a price as it is shown elsewhere; undefined where a text is no number. */
function writtenNumber(field: LineField, text: string, { language, currency }: Writing): string | undefined {
  const value = parseDecimal(text, language);
  if (value === undefined) return undefined;
  return field === 'unitPrice' ? unitPriceFormat(language, currency)(value) : formatDecimal(value, language);
}

/** As what a number is read that could be another one as well, as long as it is typed. */
function ReadAs({ read }: { readonly read: string | undefined }) {
  const words = useWords(editorWords);
  return (
    <p role="status" className={styles['read']}>
      {read !== undefined && words.readAs(read)}
    </p>
  );
}

const isNumber = (field: LineField): boolean => field === 'quantity' || field === 'unitPrice';

/** A field of a line, with what is wrong with it below it. */
export function LineCell({ field, line, label, name, problem, currency, onType }: LineCellProps) {
  const language = useLanguage();
  const [isTyped, setTyped] = useState(false);
  const text = line[field];
  const isUnsure = isTyped && isNumber(field) && isAmbiguous(text, language);
  const problemId = `${line.key}-${field}-problem`;
  const control = {
    name: field,
    value: line[field],
    'aria-label': label,
    placeholder: name,
    autoComplete: 'off',
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem === undefined ? undefined : problemId,
    className: styles['cell'],
    // A number is shown as it was read: `12,345` may have meant either.
    onBlur: () => {
      setTyped(false);
      const read = isNumber(field) ? writtenNumber(field, line[field], { language, currency }) : undefined;
      if (read !== undefined && read !== line[field]) onType(field, read);
    },
  };
  return (
    <div className={styles[field]}>
      {field === 'description' ? (
        <textarea
          {...control}
          rows={1}
          data-takes-focus
          onChange={({ target }) => onType(field, target.value)}
        />
      ) : (
        <input
          {...control}
          inputMode={isNumber(field) ? 'decimal' : undefined}
          onChange={({ target }) => {
            setTyped(true);
            onType(field, target.value);
          }}
        />
      )}
      {isNumber(field) && (
        <ReadAs read={isUnsure ? writtenNumber(field, text, { language, currency }) : undefined} />
      )}
      {problem !== undefined && (
        <p id={problemId} className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
}
