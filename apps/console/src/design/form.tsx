import { useEffect, useRef, type ReactNode } from 'react';
import styles from './form.module.css';
import { useTypedForm, type Sending } from './use-unsaved.ts';

interface FormProps {
  /** Gets the values of the fields by name. */
  readonly onSubmit: (values: Values) => void;
  /** What sends it; null where what is typed only confirms something, and is nothing to save. */
  readonly sends: Sending | null;
  /** Changes with each refusal: the focus then goes to the first field that is wrong. By default that of what sends it. */
  readonly refusal?: unknown;
  /** What was typed in it before is in it again. */
  readonly isBegun?: boolean;
  /** Somebody has left without saving. */
  readonly onDiscard?: () => void;
  readonly children: ReactNode;
}

/** What was entered, by the name of the field; empty where nothing was. */
export interface Values {
  readonly text: (name: string) => string;
  /** A code, which apps and letters show in groups: spaces mean nothing. */
  readonly code: (name: string) => string;
}

/**
 * A form that the API judges: the browser's own bubbles would be in its language, not in the reader's. Nobody leaves its page
 * unasked before it is saved.
 */
export function Form(props: FormProps) {
  const { onSubmit, sends, refusal = sends?.error, isBegun = false, onDiscard, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const onInput = useTypedForm({ sends, isBegun, onDiscard });
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
