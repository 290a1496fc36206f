import { useId, type InputHTMLAttributes, type ReactNode } from 'react';
import styles from './choices.module.css';
import fieldStyles from './field.module.css';

interface ChoicesProps {
  readonly legend: string;
  /** What is wrong with what is chosen. */
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/** Radio buttons or checkboxes that belong together. */
export function Choices({ legend, error, children }: ChoicesProps) {
  const id = useId();
  return (
    <fieldset className={styles['choices']} aria-describedby={error === undefined ? undefined : id}>
      <legend className={fieldStyles['label']}>{legend}</legend>
      {children}
      {error !== undefined && (
        <p id={id} className={fieldStyles['error']} data-field-error>
          {error}
        </p>
      )}
    </fieldset>
  );
}

interface ChoiceProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly type: 'radio' | 'checkbox';
  readonly label: string;
}

/** One of them. */
export function Choice({ label, ...input }: ChoiceProps) {
  return (
    <label className={styles['choice']}>
      <input {...input} />
      <span>{label}</span>
    </label>
  );
}
