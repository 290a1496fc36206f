import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

/** The look of a button: primary, secondary, destructive or unobtrusive. */
export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'plain';

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: ButtonKind;
  /** Its action is in progress: it keeps its focus and ignores further presses. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** A button. Inside of a form it submits only where its `type` says so. */
export function Button({ kind = 'secondary', isBusy = false, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles['button']} ${styles[kind]}`}
      aria-disabled={isBusy || undefined}
      data-busy={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
}

interface ButtonLinkProps extends ComponentProps<'a'> {
  readonly children: ReactNode;
}

/** A link that looks like a button: it gives a file. */
export function ButtonLink({ children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={`${styles['button']} ${styles['secondary']} ${styles['link']}`}>
      {children}
    </a>
  );
}
