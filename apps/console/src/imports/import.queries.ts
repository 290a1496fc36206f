import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { isTenantryError, type api } from '@tenantry/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useMutation, type Mutation } from '../design/use-mutation.ts';
import { useUnsavedPart } from '../design/use-unsaved.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import type { Choices, Findings, ImportChoices } from './choices.ts';
import { ImportRun } from './import-run.ts';
import { useThing, type ImportReport, type Undone } from './thing.queries.ts';

/** A file to import, and what it is called. */
export interface ChosenFile {
  readonly body: Blob;
  readonly name: string | undefined;
  /** Differs for each choice of a file. */
  readonly id: string;
}

/** The service looks at what a file is, whatever it is called. */
export const chosenFile = (bytes: Blob, name: string | undefined): ChosenFile => ({
  body: new Blob([bytes], { type: 'application/octet-stream' }),
  name,
  id: newId(),
});

/** `crypto.randomUUID` is missing where a page is not served by HTTPS. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** What a file is found to be, with what was decided. */
export function useFindings({ body, id }: ChosenFile, choices: Choices): UseQueryResult<Findings> {
  const [tenantry, scope, thing] = [useTenantry(), useScope(), useThing()];
  return useQuery({
    queryKey: [scope, `${thing.key}-files`, id, 'read', choices],
    queryFn: ({ signal }) => thing.read(tenantry, { query: choices, body, signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** What would become of each row. */
export function useCheck(
  { body, id }: ChosenFile,
  choices: ImportChoices,
  { isReady }: { isReady: boolean },
): UseQueryResult<ImportReport> {
  const [tenantry, scope, thing] = [useTenantry(), useScope(), useThing()];
  const query = { ...choices, mode: 'check' } as const;
  return useQuery({
    queryKey: [scope, `${thing.key}-files`, id, 'check', choices],
    queryFn: ({ signal }) => thing.import(tenantry, { query, body, signal }),
    enabled: isReady,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
}

/** Longest wait between two attempts over a lost connection, in seconds. */
const waitSecondsMax = 20;

/** Imports a file while the page is open; leaving it stops the import, and nothing of it is there. */
export function useImportRun({ body, name }: ChosenFile, choices: ImportChoices) {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  const thing = useThing();
  const [run] = useState(() => {
    const idempotencyKey = newId();
    return new ImportRun({
      send: (signal) => {
        const query = { ...choices, mode: 'rows', ...(name !== undefined && { file: name }) } as const;
        return thing.import(tenantry, { query, body, idempotencyKey, signal });
      },
      retryAfter,
      pause: pauseOrConnection,
    });
  });
  const state = useSyncExternalStore(run.subscribe, run.getState);
  const isUnderWay = () => ['running', 'waiting'].includes(run.getState().status);
  useUnsavedPart({ lostWith: 'page', isUnsaved: isUnderWay, discard: () => run.stop() });
  useEffect(() => {
    void run.start();
    return () => run.stop();
  }, [run]);
  const { status } = state;
  useEffect(() => {
    if (status === 'running') return;
    void queries.invalidateQueries({ queryKey: [scope, thing.key] });
    void queries.invalidateQueries({ queryKey: [scope, `${thing.key}-imports`] });
  }, [status, queries, scope, thing]);
  return { state, stop: () => run.stop(), start: () => void run.start() };
}

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

const progressMs = 1_000;

/** The latest imports; while one is running, again every second. */
export function useImports({
  isRunning,
}: {
  readonly isRunning: boolean;
}): UseQueryResult<readonly api.LeadImport[]> {
  const [tenantry, scope, thing] = [useTenantry(), useScope(), useThing()];
  return useQuery({
    queryKey: [scope, `${thing.key}-imports`],
    queryFn: ({ signal }) => thing.list(tenantry, signal),
    ...(isRunning && { refetchInterval: progressMs }),
  });
}

/** Takes an import back. */
export function useUndoImport(): Mutation<Undone, string> {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  const thing = useThing();
  return useMutation({
    mutationFn: async (id: string) => {
      const undone = await thing.undo(tenantry, id);
      await Promise.all(
        ['', '-imports', '-files'].map((part) =>
          queries.invalidateQueries({ queryKey: [scope, `${thing.key}${part}`] }),
        ),
      );
      return undone;
    },
  });
}
