import { randomUUID } from 'node:crypto';
import { EventPage, readEvent, Revocation } from '@tenantry/contracts';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { signUp, send } from './support/client.ts';
import { enter, foundCompany } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, config } = service;

/** What a feed gives a reader that begins now. */
async function toldAt(url: string): Promise<readonly { readonly type: string; readonly kind: string }[]> {
  const headers = {
    authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}`,
    'revocation-kinds': 'organization',
  };
  const answer = await app.inject({ url, headers });
  return answer.json<{ entries: { type: string; kind: string }[] }>().entries;
}

describe('what auth-service tells other services', () => {
  test('of events is read by the contract', async () => {
    const { id, owner } = await foundCompany(service);
    await enter(service, id, await signUp(app), 'member');
    await send(app, `PATCH /organization/${id}`, { token: owner.token, body: { name: 'Another name' } });
    const entries = await toldAt('/internal/events?wait=0');
    expect(Check(EventPage, { cursor: '', entries })).toBe(true);
    expect(entries.at(-1)).toMatchObject({ type: 'organization.updated', name: 'Another name' });
    for (const entry of entries) expect(readEvent(entry)).toBeDefined();
  });

  test('of revocations is of the kinds in the contract', async () => {
    const { id, owner } = await foundCompany(service);
    await send(app, 'POST /sign-out', { token: (await signUp(app)).token });
    await send(app, `PATCH /organization/${id}`, {
      token: owner.token,
      body: { settings: { requireTwoFactor: true } },
    });
    const entries = await toldAt('/internal/revocations?wait=0');
    expect(entries.map(({ kind }) => kind)).toContain('session');
    for (const entry of entries) expect(Check(Revocation, entry), JSON.stringify(entry)).toBe(true);
  });
});

const later = Math.floor(Date.now() / 1_000) + 900;
const ofEachKind = (token: { sub: string; sid: string; organizationId: string }) =>
  ({
    session: { kind: 'session', sid: token.sid, until: later },
    user: { kind: 'user', sub: token.sub, issuedBefore: later, until: later },
    member: {
      kind: 'member',
      sub: token.sub,
      organizationId: token.organizationId,
      issuedBefore: later,
      until: later,
    },
    organization: {
      kind: 'organization',
      organizationId: token.organizationId,
      issuedBefore: later,
      until: later,
    },
  }) satisfies { [Kind in Revocation['kind']]: Extract<Revocation, { kind: Kind }> };

// jwt-verify is published, and so has a type of its own.
describe('jwt-verify understands a revocation', () => {
  test.each(['session', 'user', 'member', 'organization'] satisfies Revocation['kind'][])(
    'of the kind %s, as the contract has it',
    async (kind) => {
      const claims = { sub: randomUUID(), sid: randomUUID(), organizationId: randomUUID() };
      const issuer = await createTestIssuer({ server: true });
      try {
        const revocation = ofEachKind(claims)[kind];
        expect(Check(Revocation, revocation)).toBe(true);
        issuer.revoke(revocation);
        const verifier = issuer.verifier();
        await verifier.ready();
        const token = await issuer.token({ ...claims, role: 'member', organizationName: 'Acme' });
        await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
        await expect(verifier.verify(await issuer.token())).resolves.toBeDefined();
      } finally {
        await issuer.close();
      }
    },
  );
});
