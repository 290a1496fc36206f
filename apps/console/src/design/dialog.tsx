import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** Asked to go away, by Escape; a dialog that must be answered leaves it out. */
  readonly onClose?: (() => void) | undefined;
  /** Takes the room that there is. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the page, which waits below: the browser's own, which keeps the focus inside and gives it back.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed while it is still in the document, it gives the focus back.
  useLayoutEffect(() => {
    const { current } = dialog;
    // A menu that it was opened from closes: its button gets the focus back.
    current?.ownerDocument.querySelector<HTMLElement>(':popover-open')?.hidePopover();
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles['dialog']} ${isWide ? styles['wide'] : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
