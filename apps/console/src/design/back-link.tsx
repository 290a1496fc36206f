import { Link } from '@tanstack/react-router';
import styles from './back-link.module.css';

interface BackLinkProps {
  /** The list that leads to the page. */
  readonly to: '/customers' | '/quotes';
  readonly children: string;
}

/** A link below the title of a page, back to its list. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <p className={styles['back']}>
      <Link to={to}>{`← ${children}`}</Link>
    </p>
  );
}
