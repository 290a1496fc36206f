import { useEffect, useRef, type ReactNode } from 'react';
import styles from './form.module.css';

export interface PlainFormProps {
  /** Called with the values of the fields by name. */
  readonly onSubmit: (values: Values) => void;
  /** Changes with each error: the focus then moves to the first invalid field. */
  readonly refusal?: unknown;
  /** Something was typed or chosen in it. */
  readonly onInput?: () => void;
  readonly children: ReactNode;
}

/** What was entered, by the name of the field; empty where nothing was. */
export interface Values {
  readonly text: (name: string) => string;
  /** A code, which apps and letters show in groups: spaces are ignored. */
  readonly code: (name: string) => string;
}

/** What is entered in a form now. */
export function valuesOf(form: HTMLFormElement): Values {
  const data = new FormData(form);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { text, code: (name) => text(name).replaceAll(/\s/g, '') };
}

/**
 * A form that the API validates: the browser's own messages would be in its language, not in the reader's. It is for input that
 * is not saved, such as sign-ins and confirmations; other forms use `Form`.
 */
export function PlainForm({ onSubmit, refusal, onInput, children }: PlainFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal === undefined || refusal === null) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  return (
    <form
      ref={form}
      className={styles['form']}
      noValidate
      onInput={onInput}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesOf(event.currentTarget));
      }}
    >
      {children}
    </form>
  );
}
