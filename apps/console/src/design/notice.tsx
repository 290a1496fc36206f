import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface NoticeProps {
  readonly kind: 'problem' | 'success' | 'news';
  readonly children: ReactNode;
}

/** A message about a result or an error; screen readers announce errors immediately. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div className={`${styles['notice']} ${styles[kind]}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
