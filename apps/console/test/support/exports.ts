import type { api } from '@tenantry/client';
import { onTestFinished } from 'vitest';
import { FakeApi } from './fake-api.ts';
import { organization, signedInAs } from './starts.ts';

export const exportsOf = {
  leads: 'GET /api/leads/export/organization',
  quotes: 'GET /api/quotation/export/organization',
  people: 'GET /api/users/export/organization',
  organization: `GET /api/auth/organization/${organization('Acme').id}/export`,
} as const;

/** An API that lets each part of an organization be exported. */
export function apiOfExports(start: api.Start = signedInAs('owner')): FakeApi {
  const exporting = new FakeApi(start);
  for (const operation of Object.values(exportsOf)) exporting.on(operation, {});
  return exporting;
}

/** What links have the browser fetch, by the names of the files; it fetches nothing. */
export function fetchedByLinks(): readonly (readonly [file: string, address: string])[] {
  const fetched: [string, string][] = [];
  const note = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link?.download) return;
    event.preventDefault();
    fetched.push([link.download, link.getAttribute('href') ?? '']);
  };
  document.addEventListener('click', note, true);
  onTestFinished(() => document.removeEventListener('click', note, true));
  return fetched;
}
