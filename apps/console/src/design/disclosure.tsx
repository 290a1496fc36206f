import { useId, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import styles from './disclosure.module.css';

interface DisclosureProps {
  /** What the button shows. */
  readonly button: ReactNode;
  /** Its label, if its content is not sufficient. */
  readonly label: string;
  /** The side of the button that the panel aligns with. */
  readonly side: 'start' | 'end' | 'above';
  /** Its entries are chosen, and reached by the arrow keys. */
  readonly isMenu?: boolean;
  /** The panel; `close` is for links in it. */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button that opens a panel: a popover of the browser, which closes on Escape and on a press outside. A search field in it
 * gets the focus.
 */
export function Disclosure({ button, label, side, isMenu = false, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        className={styles['button']}
        aria-label={label}
        aria-haspopup={isMenu ? 'menu' : undefined}
        popoverTarget={panelId}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        className={`${styles['panel']} ${styles[side]}`}
        // Rendered before it is shown, so that the next key reaches it and its position fits its size.
        onBeforeToggle={({ newState }) => newState === 'open' && flushSync(() => setOpen(true))}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'closed') setOpen(false);
          else currentTarget.querySelector<HTMLElement>('[role^="menuitem"], input[type="search"]')?.focus();
        }}
      >
        {isOpen && <div className={styles['content']}>{children(() => panel.current?.hidePopover())}</div>}
      </div>
    </>
  );
}
