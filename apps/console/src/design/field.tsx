import { useId, useState, type InputHTMLAttributes, type ReactNode } from 'react';
import styles from './field.module.css';

/** What every field has. */
export interface FieldProps {
  /** The API's field name, by which findings are matched to fields. */
  readonly name: string;
  readonly label: string;
  /** A hint. */
  readonly hint?: string | undefined;
  /** What is wrong with it. */
  readonly error?: string | undefined;
  /** Whether the error above the form concerns it. */
  readonly isWrong?: boolean | undefined;
}

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'>;

/** A line of text with its label, a hint, and what is wrong with it. */
export function TextField({ name, label, hint, error, isWrong, ...input }: FieldProps & Input) {
  const { control, frame } = useField({ name, label, hint, error, isWrong });
  return frame(<input {...input} {...control} className={styles['input']} />);
}

interface PasswordFieldProps extends FieldProps, Input {
  /** The labels of the button that shows or hides the password. */
  readonly words: { readonly show: string; readonly hide: string };
}

/** A password field, which can show its content. */
export function PasswordField({ name, label, hint, error, isWrong, words, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const { control, frame } = useField({ name, label, hint, error, isWrong });
  return frame(
    <span className={styles['group']}>
      <input {...input} {...control} type={isShown ? 'text' : 'password'} className={styles['input']} />
      <button
        type="button"
        className={styles['reveal']}
        aria-pressed={isShown}
        aria-controls={control.id}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? words.hide : words.show}
      </button>
    </span>,
  );
}

/** The props of a field, for its control and for its surroundings. */
export function useField({ name, label, hint, error, isWrong = false }: FieldProps) {
  const id = useId();
  const described = [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat();
  const control = {
    id,
    name,
    'aria-invalid': isWrong || error !== undefined || undefined,
    'aria-describedby': described.join(' ') || undefined,
  };
  const frame = (children: ReactNode) => (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles['error']} data-field-error>
          {error}
        </p>
      )}
    </div>
  );
  return { control, frame };
}
