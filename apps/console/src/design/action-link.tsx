import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './button.module.css';

interface ActionLinkProps extends Omit<LinkProps, 'children'> {
  readonly kind?: 'primary' | 'secondary';
  readonly children: ReactNode;
}

/** A link to a page that looks like a button, since it starts an action there. */
export function ActionLink({ kind = 'secondary', children, ...link }: ActionLinkProps) {
  return (
    <Link {...link} className={`${styles['button']} ${styles[kind]} ${styles['action']}`}>
      {children}
    </Link>
  );
}
