import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './dialog.module.css';
import { unsaved } from './unsaved.ts';
import { DialogContext } from './use-unsaved.ts';

interface DialogProps {
  readonly title: string;
  /** Asked to go away, by Escape; a dialog that must be answered leaves it out. */
  readonly onClose?: (() => void) | undefined;
  /** Takes the room that there is. */
  readonly isWide?: boolean;
  /** `close` asks first, as Escape does, where something typed would be lost. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/**
 * A dialog over the page, which waits below: the browser's own, which keeps the focus inside and gives it back. What is typed
 * in a form of it and not saved is not lost unasked.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isOpen = useRef(false);
  // Closed while it is still in the document, it gives the focus back.
  useLayoutEffect(() => {
    const { current } = dialog;
    // A menu that it was opened from closes: its button gets the focus back.
    current?.ownerDocument.querySelector<HTMLElement>(':popover-open')?.hidePopover();
    current?.showModal();
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      current?.close();
    };
  }, []);
  const askToClose = async () => {
    if (onClose && (await unsaved.mayLeave({ dialog: id }))) onClose();
  };
  const close = () => void askToClose();
  // Left to the browser, a second press closes the dialog without asking.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
    event.preventDefault();
    close();
  };
  return (
    <dialog
      ref={dialog}
      className={`${styles['dialog']} ${isWide ? styles['wide'] : ''}`}
      aria-labelledby={`${id}-title`}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      // So does going back on a phone, when it is done twice.
      onClose={({ currentTarget }) => {
        if (currentTarget.open || !isOpen.current) return;
        currentTarget.showModal();
        close();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <DialogContext value={id}>{typeof children === 'function' ? children(close) : children}</DialogContext>
    </dialog>
  );
}
