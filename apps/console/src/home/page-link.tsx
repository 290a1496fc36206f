import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMayOpen } from '../shell/pages.queries.ts';

interface PageLinkProps {
  /** Where a page of the table of pages begins: `/leads`. */
  readonly page: string;
  /** Of one thing on it. */
  readonly id?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A link to a page that the reader may open; without one, what it says. */
export function PageLink({ page, id, search = {}, className, children }: PageLinkProps) {
  const mayOpen = useMayOpen();
  if (!mayOpen(page)) return <span className={className}>{children}</span>;
  return (
    <Link to={id === undefined ? page : `${page}/${id}`} search={search} className={className ?? ''}>
      {children}
    </Link>
  );
}
