import type { api } from '@tenantry/client';
import { FakeApi } from './fake-api.ts';
import { signedInAs } from './starts.ts';

export const exportsOf = {
  leads: 'GET /api/leads/export/organization',
  quotes: 'GET /api/quotation/export/organization',
  people: 'GET /api/users/export/organization',
} as const;

export const archive = new Blob(['an archive'], { type: 'application/zip' });

/** An API that exports each part of an organization. */
export function apiOfExports(start: api.Start = signedInAs('owner')): FakeApi {
  const exporting = new FakeApi(start);
  for (const operation of Object.values(exportsOf)) exporting.on(operation, archive);
  return exporting;
}
