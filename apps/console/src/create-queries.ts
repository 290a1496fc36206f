import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './failures/passing.ts';

/** Makes what reads for the pages. What was seen is kept, so that it is there without a connection: see `keepLatest`. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { retry: isWorthRepeating, staleTime: 10_000, gcTime: Infinity } },
  });

/** Reads are tried again where that may help: not what was refused. */
const isWorthRepeating = (failures: number, error: Error): boolean => failures < 2 && isPassing(error);
