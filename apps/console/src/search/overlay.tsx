import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './palette.module.css';

interface OverlayProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that goes away as easily as it comes: by Escape and by a press beside it. */
export function Overlay({ label, onClose, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes it
    <dialog
      ref={dialog}
      className={styles['overlay']}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles['inside']}>{children}</div>
    </dialog>
  );
}
