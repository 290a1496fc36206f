import { Link } from '@tanstack/react-router';
import styles from './back-link.module.css';

interface BackLinkProps {
  /** What leads to the page. */
  readonly to: '/customers' | '/quotes' | '/organization';
  readonly children: string;
}

/** A link below the title of a page, back to where it belongs. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <p className={styles['back']}>
      <Link to={to}>{`← ${children}`}</Link>
    </p>
  );
}
