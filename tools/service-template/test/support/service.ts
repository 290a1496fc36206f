import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openTestFeed,
  startTestService,
  type Caller,
  type TestFeed,
  type TestService,
} from '@tenantry/service-tests';
import { expect } from 'vitest';
import { service } from '../../src/service.ts';

/** The service, and what is around it. */
export interface Running extends TestService {
  readonly feed: TestFeed;
  /** Where mail goes. */
  readonly mailDirectory: string;
}

/** Starts the service on a database of its own. */
export async function startService(): Promise<Running> {
  const feed = await openTestFeed();
  const mailDirectory = mkdtempSync(join(tmpdir(), 'tenantry-field-notes-mail-'));
  const started = await startTestService(service, { env: { ...feed.env, MAIL_DIRECTORY: mailDirectory } });
  return {
    ...started,
    feed,
    mailDirectory,
    async close() {
      await started.close();
      await feed.close();
      await rm(mailDirectory, { recursive: true });
    },
  };
}

/** Creates a field note and gives its id. */
export async function create(caller: Caller, title: string): Promise<string> {
  const answer = await caller.send('POST', '/api/field-notes', { body: { title } });
  expect(answer.status, answer.text).toBe(201);
  return (answer.body.data as { id: string }).id;
}

/** What auth-service tells of a new organization. */
export const organizationCreated = (organizationId: string, name: string) => ({
  type: 'organization.created',
  organizationId,
  name,
  slug: 'acme',
  createdAt: '2026-11-21T10:00:00.000Z',
  settings: { defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
});
