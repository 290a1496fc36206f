import { useEffect, useRef, type ReactNode } from 'react';
import styles from './form.module.css';

export interface PlainFormProps {
  /** Gets the values of the fields by name. */
  readonly onSubmit: (values: Values) => void;
  /** Changes with each refusal: the focus then goes to the first field that is wrong. */
  readonly refusal?: unknown;
  /** Something was typed or chosen in it. */
  readonly onInput?: () => void;
  readonly children: ReactNode;
}

/** What was entered, by the name of the field; empty where nothing was. */
export interface Values {
  readonly text: (name: string) => string;
  /** A code, which apps and letters show in groups: spaces mean nothing. */
  readonly code: (name: string) => string;
}

/**
 * A form that the API judges: the browser's own bubbles would be in its language, not in the reader's. What is typed in it only
 * signs in or confirms something, and is nothing to save: what is to be saved is typed in a `Form`.
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
        const data = new FormData(event.currentTarget);
        const text = (name: string): string => {
          const value = data.get(name);
          return typeof value === 'string' ? value : '';
        };
        onSubmit({ text, code: (name) => text(name).replaceAll(/\s/g, '') });
      }}
    >
      {children}
    </form>
  );
}
