import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  /** `strong` stands out, `quiet` does not, `problem` wants something done. */
  readonly kind?: 'strong' | 'quiet' | 'problem';
  readonly children: ReactNode;
}

/** A word beside a name that says how it stands. */
export function Badge({ kind = 'quiet', children }: BadgeProps) {
  return <span className={`${styles['badge']} ${styles[kind]}`}>{children}</span>;
}
