import type { api, Tenantry } from '@tenantry/client';
import { createContext, useContext } from 'react';
import { useWords } from '../design/language.ts';
import type { Choices, Findings, ImportField } from './choices.ts';
import { importWords } from './import.words.ts';

/** A request that sends a file. */
interface Sent {
  readonly body: Blob;
  readonly signal: AbortSignal;
}

/** How a file is imported. */
export interface ImportQuery extends Choices {
  readonly mode: 'check' | 'rows';
  readonly duplicates?: 'skip' | 'fill' | 'import';
  readonly file?: string;
}

/** The report of an import, of whatever. */
export type ImportReport = api.LeadImportReport | api.CustomerImportReport;

/** What was taken back of an import. */
export interface Undone {
  readonly undone: number;
  readonly kept: number;
  readonly named: readonly { readonly name: string }[];
}

/** What the rows of files become. */
export interface ImportThing {
  readonly key: 'leads' | 'customers';
  readonly page: '/leads' | '/customers';
  /** The address of one. */
  readonly item: '/leads/{-$id}' | '/customers/$id';
  /** Where the service has them. */
  readonly url: string;
  readonly fields: readonly ImportField[];
  readonly required: readonly ImportField[];
  readonly useLabels: () => Readonly<Partial<Record<string, string>>>;
  readonly read: (tenantry: Tenantry, sent: Sent & { readonly query: Choices }) => Promise<Findings>;
  readonly import: (
    tenantry: Tenantry,
    sent: Sent & { readonly query: ImportQuery; readonly idempotencyKey?: string },
  ) => Promise<ImportReport>;
  readonly list: (tenantry: Tenantry, signal: AbortSignal) => Promise<readonly api.LeadImport[]>;
  readonly undo: (tenantry: Tenantry, id: string) => Promise<Undone>;
}

const Thing = createContext<ImportThing | undefined>(undefined);
export const ThingProvider = Thing.Provider;

/** What the page imports. */
export function useThing(): ImportThing {
  const thing = useContext(Thing);
  if (!thing) throw new Error('A page of imports says what it imports.');
  return thing;
}

/** What is said about imports, and of what the page imports. */
export function useImportWords() {
  const { key } = useThing();
  const words = useWords(importWords);
  return { ...words, of: words.of[key] };
}
