import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './failures/passing.ts';

/** Creates the query client. Data stays cached, so that it is available offline: see `keepLatest`. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { retry: isWorthRepeating, staleTime: 10_000, gcTime: Infinity } },
  });

/** Reads are retried if that may help, which excludes refused requests. */
const isWorthRepeating = (failures: number, error: Error): boolean => failures < 2 && isPassing(error);
