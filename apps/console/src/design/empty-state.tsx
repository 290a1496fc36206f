import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly title?: string;
  /** Why there is nothing, and what leads on. */
  readonly children: ReactNode;
}

/** In place of a list that has no rows. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <section className={styles['empty']} aria-label={title}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}
