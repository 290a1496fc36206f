import type { ChangeEvent } from 'react';
import { useLanguage, useWords } from '../../design/language.ts';
import { ReadAs, useNumberInput } from '../../design/number-field.tsx';
import { unitPriceFormat } from '../unit-price.ts';
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

/** A field of a line, with what is wrong with it below it. */
export function LineCell(props: LineCellProps) {
  const { field, line, label, name, problem, onType } = props;
  const problemId = `${line.key}-${field}-problem`;
  const control = {
    name: field,
    'aria-label': label,
    placeholder: name,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem === undefined ? undefined : problemId,
    className: styles['cell'],
  };
  const typed = {
    value: line[field],
    autoComplete: 'off',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onType(field, target.value),
  };
  return (
    <div className={styles[field]}>
      {field === 'description' ? (
        <textarea {...control} {...typed} rows={1} data-takes-focus />
      ) : field === 'quantity' || field === 'unitPrice' ? (
        <NumberInput {...props} control={control} />
      ) : (
        <input {...control} {...typed} />
      )}
      {problem !== undefined && (
        <p id={problemId} className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** A quantity, or a price as it is shown elsewhere. */
function NumberInput({
  field,
  line,
  currency,
  onType,
  control,
}: LineCellProps & { readonly control: object }) {
  const words = useWords(editorWords);
  const language = useLanguage();
  const { input, read } = useNumberInput({
    text: line[field],
    onType: (text) => onType(field, text),
    ...(field === 'unitPrice' && { write: unitPriceFormat(language, currency) }),
  });
  return (
    <>
      <input {...control} {...input} />
      <ReadAs read={read} words={words} />
    </>
  );
}
