import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import styles from './confirm.module.css';
import { Row } from './page.tsx';

interface ConfirmProps {
  /** The label of the first button. */
  readonly action: string;
  /** What will happen. */
  readonly question: string;
  /** The label of the confirming button. */
  readonly confirm: string;
  readonly cancel: string;
  readonly kind?: ButtonKind;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  /** Shown between the question and the buttons: an error. */
  readonly children?: ReactNode;
}

/** A button for an irreversible action: it asks for confirmation in place. */
export function Confirm({ action, question, confirm, cancel, kind = 'danger', ...rest }: ConfirmProps) {
  const { isBusy = false, onConfirm, children } = rest;
  const [isAsked, setAsked] = useState(false);
  const [begin, text] = [useRef<HTMLDivElement>(null), useRef<HTMLParagraphElement>(null)];
  const wasAsked = useRef(false);
  useEffect(() => {
    if (isAsked) text.current?.focus();
    else if (wasAsked.current) begin.current?.querySelector('button')?.focus();
    wasAsked.current = isAsked;
  }, [isAsked, begin, text]);
  if (!isAsked) {
    return (
      <div ref={begin}>
        <Button kind={kind} onClick={() => setAsked(true)}>
          {action}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles['question']}>
      <p ref={text} tabIndex={-1}>
        {question}
      </p>
      {children}
      <Row>
        <Button kind={kind} isBusy={isBusy} onClick={onConfirm}>
          {confirm}
        </Button>
        <Button onClick={() => setAsked(false)}>{cancel}</Button>
      </Row>
    </div>
  );
}
