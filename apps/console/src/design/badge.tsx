import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  /** `strong` stands out, `quiet` does not, `problem` calls for action. */
  readonly kind?: 'strong' | 'quiet' | 'problem';
  readonly children: ReactNode;
}

/** A word next to a name that shows its state. */
export function Badge({ kind = 'quiet', children }: BadgeProps) {
  return <span className={`${styles['badge']} ${styles[kind]}`}>{children}</span>;
}
