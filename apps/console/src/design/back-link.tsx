import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import styles from './back-link.module.css';
import { useWayBack } from './visited.ts';

interface BackLinkProps {
  /** What leads to the page. */
  readonly to: '/customers' | '/quotes' | '/organization/security' | '/organization/data';
  readonly children: string;
  /** What is said beside it. */
  readonly beside?: string;
}

/** A link below the title of a page, back to where it belongs: to a list as it was left, at the row that was followed. */
export function BackLink({ to, children, beside }: BackLinkProps) {
  const { search, isBefore, back } = useWayBack(to);
  const onClick = (event: MouseEvent): void => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isBefore || !isPlain) return;
    event.preventDefault();
    back();
  };
  return (
    <p className={styles['back']}>
      <Link to={to} search={search} onClick={onClick}>{`← ${children}`}</Link>
      {beside !== undefined && <span className={styles['beside']}>{beside}</span>}
    </p>
  );
}
