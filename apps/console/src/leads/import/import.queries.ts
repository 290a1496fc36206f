import { useQueryClient } from '@tanstack/react-query';
import { isTenantryError } from '@tenantry/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useUnsavedPart } from '../../design/use-unsaved.ts';
import { useScope, useTenantry } from '../../sessions/sessions.queries.ts';
import type { GoodRow } from './checked-file.ts';
import { ImportRun } from './import-run.ts';

/** Longest wait between two attempts over a lost connection, in seconds. */
const waitSecondsMax = 20;

/** Imports rows while the page is open; leaving it stops after the current portion. */
export function useImportRun(rows: readonly GoodRow[]) {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  const [run] = useState(
    () =>
      new ImportRun(rows, {
        // `crypto.randomUUID` is missing where a page is not served by HTTPS.
        id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
        send: async ({ text, key }) => {
          const body = new Blob([text], { type: 'text/csv' });
          return (await tenantry.importLeads({ query: { mode: 'rows' }, body, idempotencyKey: key })).data;
        },
        retryAfter,
        pause: pauseOrConnection,
      }),
  );
  const state = useSyncExternalStore(run.subscribe, run.getState);
  useUnsavedPart({ lostWith: 'page', isUnsaved: () => isUnderWay(run), discard: () => run.stop() });
  useEffect(() => {
    void run.start();
    return () => void run.stop();
  }, [run]);
  const { imported } = state;
  useEffect(() => {
    if (imported > 0) void queries.invalidateQueries({ queryKey: [scope, 'leads'] });
  }, [imported, queries, scope]);
  return { state, stop: () => void run.stop(), resume: () => void run.start() };
}

const isUnderWay = (run: ImportRun): boolean =>
  ['running', 'waiting', 'stopping'].includes(run.getState().status);

/** Waits for so many seconds, or until the browser is connected again. */
const pauseOrConnection = (seconds: number): Promise<void> =>
  new Promise((resolve) => {
    const goOn = () => {
      removeEventListener('online', goOn);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(goOn, seconds * 1_000);
    addEventListener('online', goOn);
  });

/** A retry helps if there was no response, or the service was unavailable. */
export function retryAfter(error: unknown, attempt: number): number | undefined {
  if (!isTenantryError(error)) return undefined;
  const { status, code, retryAfterSeconds } = error;
  const mayHelp =
    status === 0 || status >= 500 || status === 429 || status === 408 || code === 'IDEMPOTENCY_KEY_IN_USE';
  return mayHelp ? (retryAfterSeconds ?? Math.min(2 ** (attempt - 1), waitSecondsMax)) : undefined;
}
