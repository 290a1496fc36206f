import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './dialog.module.css';
import { unsaved } from './unsaved.ts';
import { DialogContext } from './use-unsaved.ts';

interface DialogProps {
  readonly title: string;
  /** Called on Escape; omitted for a dialog that must be answered. */
  readonly onClose?: (() => void) | undefined;
  /** Uses the available space. */
  readonly isWide?: boolean;
  /** `close`, like Escape, asks first if input would be lost. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/**
 * A modal dialog: the browser's own, which traps the focus and restores it. It asks before unsaved input in its forms is lost.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isOpen = useRef(false);
  // Closing it while it is still in the document restores the focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    // The menu that it was opened from closes, so its button gets the focus.
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
  // The browser's default would close the dialog at the second press without asking.
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
      // The same applies to going back twice on a phone.
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
