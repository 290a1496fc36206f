import type { ReactNode } from 'react';
import styles from './list.module.css';

/** A short list of things. */
export function List({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles['list']} aria-label={label}>
      {children}
    </ul>
  );
}

interface ListItemProps {
  readonly title: string;
  /** Further details; empty ones are left out. */
  readonly details?: readonly string[];
  readonly action?: ReactNode;
  /** Shown below it: an error. */
  readonly children?: ReactNode;
}

/** An item: its name, details and actions. */
export function ListItem({ title, details = [], action, children }: ListItemProps) {
  return (
    <li className={styles['item']}>
      <div className={styles['line']}>
        <div>
          <p className={styles['title']}>{title}</p>
          <p className={styles['details']}>{details.filter((detail) => detail !== '').join(' · ')}</p>
        </div>
        {action}
      </div>
      {children}
    </li>
  );
}
