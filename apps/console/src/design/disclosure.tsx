import { useId, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import styles from './disclosure.module.css';

interface DisclosureProps {
  /** What the button shows. */
  readonly button: ReactNode;
  /** What it is called, where what it shows does not say so. */
  readonly label: string;
  /** The side of the button that the panel keeps to. */
  readonly side: 'start' | 'end' | 'above';
  /** What opens; `close` is for what leads away. */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button that opens a panel beside it: a popover of the browser, which closes on Escape and on a press outside. Where it has
 * a search, that has the focus.
 */
export function Disclosure({ button, label, side, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" className={styles['button']} aria-label={label} popoverTarget={panelId}>
        {button}
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        className={`${styles['panel']} ${styles[side]}`}
        // Drawn before it is shown: what is pressed next finds it there, and it is placed by its size.
        onBeforeToggle={({ newState }) => newState === 'open' && flushSync(() => setOpen(true))}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'closed') setOpen(false);
          else currentTarget.querySelector<HTMLElement>('input[type="search"]')?.focus();
        }}
      >
        {isOpen && <div className={styles['content']}>{children(() => panel.current?.hidePopover())}</div>}
      </div>
    </>
  );
}
