import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { isTenantryError, type api } from '@tenantry/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useMutation, type Mutation } from '../../design/use-mutation.ts';
import { useUnsavedPart } from '../../design/use-unsaved.ts';
import { useScope, useTenantry } from '../../sessions/sessions.queries.ts';
import type { Choices, ImportChoices } from './choices.ts';
import { ImportRun } from './import-run.ts';

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
export function useFindings(
  { body, id }: ChosenFile,
  choices: Choices,
): UseQueryResult<api.LeadFileFindings> {
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useQuery({
    queryKey: [scope, 'lead-files', id, 'read', choices],
    queryFn: async ({ signal }) => (await tenantry.readLeadFile({ query: choices, body, signal })).data,
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
): UseQueryResult<api.LeadImportReport> {
  const [tenantry, scope] = [useTenantry(), useScope()];
  const query = { ...choices, mode: 'check' } as const;
  return useQuery({
    queryKey: [scope, 'lead-files', id, 'check', choices],
    queryFn: async ({ signal }) => (await tenantry.importLeads({ query, body, signal })).data,
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
  const [run] = useState(() => {
    const idempotencyKey = newId();
    return new ImportRun({
      send: async (signal) => {
        const query = { ...choices, mode: 'rows', ...(name !== undefined && { file: name }) } as const;
        return (await tenantry.importLeads({ query, body, idempotencyKey, signal })).data;
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
    void queries.invalidateQueries({ queryKey: [scope, 'leads'] });
    void queries.invalidateQueries({ queryKey: [scope, 'lead-imports'] });
  }, [status, queries, scope]);
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
  const [tenantry, scope] = [useTenantry(), useScope()];
  return useQuery({
    queryKey: [scope, 'lead-imports'],
    queryFn: async ({ signal }) =>
      (await tenantry.listLeadImports({ query: { page: 1, pageSize: 20 }, signal })).data.rows,
    ...(isRunning && { refetchInterval: progressMs }),
  });
}

/** Takes an import back. */
export function useUndoImport(): Mutation<api.UndoneLeadImport, string> {
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  return useMutation({
    mutationFn: async (id: string) => {
      const { data } = await tenantry.undoLeadImport({ path: { id } });
      await Promise.all(
        ['leads', 'lead-imports', 'lead-files'].map((part) =>
          queries.invalidateQueries({ queryKey: [scope, part] }),
        ),
      );
      return data;
    },
  });
}
