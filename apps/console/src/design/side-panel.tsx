import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import styles from './side-panel.module.css';

interface SplitProps {
  readonly children: ReactNode;
  readonly side: ReactNode;
  /** Called on Escape, in the list and in the panel. */
  readonly onClose: () => void;
}

/**
 * A list with one of its items next to it, or over it if space is short. When the panel closes, its focus moves to the list's
 * current row.
 */
export function Split({ children, side, onClose }: SplitProps) {
  const main = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  const isOpen = Boolean(side);
  // Before anything else finds the focus lost.
  useLayoutEffect(() => {
    const { activeElement, body } = main.current?.ownerDocument ?? {};
    if (wasOpen.current && !isOpen && activeElement === body) {
      main.current?.querySelector<HTMLElement>('[data-keeps-focus][tabindex="0"]')?.focus();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape is for all that is inside.
    <div className={styles['split']} data-open={isOpen || undefined} onKeyDown={onKeyDown}>
      <div ref={main} className={styles['main']}>
        {children}
      </div>
      {side}
    </div>
  );
}

interface SidePanelProps {
  readonly title: string;
  /** Changes with the item: the title then gets the focus, unless the list keeps it. */
  readonly about: string;
  /** Buttons beside the title. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** The panel next to a list. */
export function SidePanel({ title, about, actions, children }: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
    const { activeElement } = heading.current?.ownerDocument ?? {};
    if (activeElement?.matches('[data-keeps-focus]') !== true) heading.current?.focus();
  }, [about]);
  return (
    <section ref={panel} className={styles['panel']} aria-label={title}>
      <div className={styles['head']}>
        <h2 ref={heading} tabIndex={-1} className={styles['title']}>
          {title}
        </h2>
        <div className={styles['actions']}>{actions}</div>
      </div>
      {children}
    </section>
  );
}

interface PanelPartProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of what is shown beside a list. */
export function PanelPart({ title, action, children }: PanelPartProps) {
  return (
    <section className={styles['part']} aria-label={title}>
      <div className={styles['partHead']}>
        <h3 className={styles['partTitle']}>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}
