import { randomUUID } from 'node:crypto';
import type { Revocation } from '@tenantry/jwt-verify';
import type { Service } from '@tenantry/service/http';
import { expect, it } from 'vitest';
import { refusal } from '../callers.ts';
import type { BeforeBody, Standing } from './standing.ts';
import { rowCounts } from './tables.ts';

/** Call it before the service is ready. */
export function interruptBodies(app: Service): BeforeBody {
  const beforeBody: BeforeBody = new Map();
  app.addHook('preParsing', async ({ id }) => beforeBody.get(id)?.());
  return beforeBody;
}

interface Ids {
  readonly sub: string;
  readonly sid: string;
  readonly organizationId: string;
}

/** The ways in which access ends. */
const endings: Readonly<Record<string, (ids: Ids, seconds: number) => Revocation>> = {
  session: ({ sid }, now) => ({ kind: 'session', sid, until: now + 900 }),
  'membership or role': ({ sub, organizationId }, now) => ({
    kind: 'member',
    sub,
    organizationId,
    issuedBefore: now + 1,
    until: now + 900,
  }),
  account: ({ sub }, now) => ({ kind: 'user', sub, issuedBefore: now + 1, until: now + 900 }),
  organization: ({ organizationId }, now) => ({
    kind: 'organization',
    organizationId,
    issuedBefore: now + 1,
    until: now + 900,
  }),
};

/** What was decided at the headers of a request is decided again when its body is whole. */
export function lateBodyTests(standing: () => Standing): void {
  it.each(Object.entries(endings))(
    'writes nothing once the %s has ended while a body arrived [S-141]',
    async (_, end) => {
      const { running, operations, beforeBody } = standing();
      const before = await rowCounts(running.testDatabase);
      const writing = operations.filter(({ method, access }) => method !== 'GET' && access !== 'public');
      for (const { method, url, mediaTypes } of writing) {
        const ids = { sub: randomUUID(), sid: randomUUID(), organizationId: randomUUID() };
        const member = await running.member({ ...ids, role: 'owner' });
        const id = randomUUID();
        const seconds = Math.floor(Date.now() / 1_000);
        beforeBody.set(id, () => running.issuer.revoke(end(ids, seconds)));
        const [mediaType] = mediaTypes;
        const headers = { 'x-request-id': id, ...(mediaType !== undefined && { 'content-type': mediaType }) };
        const answer = await member.send(method, url, {
          ...(mediaType !== undefined && { body: '{}' }),
          headers,
        });
        const refused = { status: 401, code: 'UNAUTHENTICATED' };
        expect(refusal(answer), `${method} ${url}`).toMatchObject(refused);
      }
      expect(await rowCounts(running.testDatabase)).toEqual(before);
    },
  );
}
