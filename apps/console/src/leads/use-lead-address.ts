import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { addressOf, filtersOf, type LeadFilters } from './lead-filters.ts';

/** Where the lists of leads are. */
export type LeadView = '/leads' | '/leads/board';

interface Going {
  readonly view: LeadView;
  readonly id: string | undefined;
  readonly filters: LeadFilters;
}

interface GoingOptions {
  readonly replace?: boolean;
  /** What was typed is given up. */
  readonly ignoreBlocker?: boolean;
}

/** The address of a list of leads, with the one that is open beside it. */
export const hrefOf = ({ view, id }: Pick<Going, 'view' | 'id'>): string =>
  id === undefined ? view : `${view}/${id}`;

/** What the address says: which leads, and which one is open. */
export function useLeadAddress(view: LeadView) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { id }: { readonly id?: string } = useParams({ strict: false });
  const navigate = useNavigate();
  const text = JSON.stringify(search);
  const filters = useMemo(() => filtersOf(JSON.parse(text) as Record<string, unknown>), [text]);
  /** Resolves once it is shown. */
  const arrive = (to: Partial<Going>, options: GoingOptions = {}): Promise<void> => {
    const going = { view, id, filters, ...to };
    return navigate({ to: hrefOf(going), search: addressOf(going.filters), resetScroll: false, ...options });
  };
  const go = (to: Partial<Going>, options?: GoingOptions): void => void arrive(to, options);
  return { id, filters, go, arrive };
}

/** Goes to leads. */
export type GoToLeads = ReturnType<typeof useLeadAddress>['go'];
