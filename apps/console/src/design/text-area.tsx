import type { TextareaHTMLAttributes } from 'react';
import { useField, type FieldProps } from './field.tsx';
import field from './field.module.css';
import styles from './text-area.module.css';

type Area = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name' | 'id'>;

/** Several lines of text, as high as its rows, and higher once there is more in it. */
export function TextArea({ name, label, hint, error, isWrong, ...area }: FieldProps & Area) {
  const { control, frame } = useField({ name, label, hint, error, isWrong });
  return frame(<textarea {...area} {...control} className={`${field['input']} ${styles['area']}`} />);
}
