import type { SelectHTMLAttributes } from 'react';
import { useField, type FieldProps } from './field.tsx';
import styles from './field.module.css';

type Select = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name' | 'id'>;

/** A select field. */
export function SelectField({ name, label, hint, error, isWrong, children, ...select }: FieldProps & Select) {
  const { control, frame } = useField({ name, label, hint, error, isWrong });
  return frame(
    <select {...select} {...control} className={styles['input']}>
      {children}
    </select>,
  );
}
