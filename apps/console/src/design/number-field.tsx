import { useState, type ChangeEvent } from 'react';
import { formatDecimal, isAmbiguous, parseDecimal } from './decimals.ts';
import { TextField, type FieldProps } from './field.tsx';
import { useLanguage } from './language.ts';
import styles from './number-field.module.css';

interface NumberInput {
  /** As somebody typed it. */
  readonly text: string;
  readonly onType: (text: string) => void;
  /** How a number is written; by default with the decimals that it has. */
  readonly write?: (value: number) => string;
}

/**
 * The props of an input for a number in the writing of the reader's language, and how it is read while it is typed, where it
 * could mean another number as well. Once it is left it is shown as it was read.
 */
export function useNumberInput({ text, onType, write }: NumberInput) {
  const language = useLanguage();
  const [isTyped, setTyped] = useState(false);
  const value = parseDecimal(text, language);
  const written = value === undefined ? undefined : (write ?? ((it) => formatDecimal(it, language)))(value);
  const input = {
    inputMode: 'decimal',
    autoComplete: 'off',
    value: text,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setTyped(true);
      onType(target.value);
    },
    onBlur: () => {
      setTyped(false);
      if (written !== undefined && written !== text) onType(written);
    },
  } as const;
  return { input, read: isTyped && isAmbiguous(text, language) ? written : undefined };
}

interface ReadAsProps {
  readonly read: string | undefined;
  readonly words: { readonly readAs: (number: string) => string };
}

/** As what a number is read. */
export function ReadAs({ read, words }: ReadAsProps) {
  return (
    <p role="status" className={styles['read']}>
      {read !== undefined && words.readAs(read)}
    </p>
  );
}

type NumberFieldProps = FieldProps &
  NumberInput &
  Pick<ReadAsProps, 'words'> & { readonly required?: boolean };

/** A field for a number. */
export function NumberField({ text, onType, write, words, ...field }: NumberFieldProps) {
  const { input, read } = useNumberInput({ text, onType, ...(write && { write }) });
  return (
    <div>
      <TextField {...field} {...input} />
      <ReadAs read={read} words={words} />
    </div>
  );
}
