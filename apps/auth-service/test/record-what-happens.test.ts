import { randomBytes, randomUUID } from 'node:crypto';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { recordAudit, recordOwnAudit } from '../src/audit/audit.ts';
import type { Transaction } from '../src/database.ts';
import { recordErasure, recordEvent } from '../src/events/events.ts';
import { AddresseesRepository } from '../src/mail/addressees.repository.ts';
import { openLetter } from '../src/mail/letter.ts';
import { Outbox } from '../src/mail/outbox.ts';
import { recordRevocation } from '../src/tokens/revocations/revocations.ts';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';
import { newPassword, password, send, signUp } from './support/client.ts';
import { openDatabase, startService } from './support/service.ts';
import { claimsOf } from './support/client.ts';

const { app, config, sql } = await startService();
const database = openDatabase(config, createLogger({ name: 'test', level: 'trace', destination: testLog() }));
const secrets = new SecretRing(randomBytes(32).toString('base64'));
const outbox = new Outbox({
  budget: { spend: async () => undefined },
  addressees: Object.assign(new AddresseesRepository(), { isProven: async () => true }),
  secrets,
  newId: randomUUID,
});
afterAll(() => database.close());

const ada = await signUp(app);
const organizationId = claimsOf(ada.token)['organizationId'] as string;
const inOrganization = <Result>(work: (tx: Transaction) => Promise<Result>) =>
  database.within({ organizationId, userId: ada.id }).transaction(work);
const byAda = {
  actor: { kind: 'user', userId: ada.id, name: null },
  client: { deviceId: 'phone-0001', userAgent: null, ipAddress: '203.0.113.9' },
} as const;
const asUser = <Result>(work: (tx: Transaction) => Promise<Result>) =>
  database.within({ userId: ada.id }).transaction(work);

describe('what happens is recorded', () => {
  test('with the change, or not at all [S-180]', async () => {
    const record = async (tx: Transaction) => {
      await recordRevocation(tx, { kind: 'user', userId: ada.id, at: new Date() });
      await recordEvent(tx, { type: 'member.removed', organizationId, userId: ada.id });
      await recordAudit(tx, byAda, { action: 'member.removed' });
      await outbox.enqueue(tx, { to: ada.email, template: 'password-changed', data: { name: 'Ada' } });
      throw new Error('the change failed');
    };
    const count = async () =>
      sql(`SELECT (SELECT count(*) FROM revocations) AS r, (SELECT count(*) FROM events) AS e,
        (SELECT count(*) FROM audit_events) AS a, (SELECT count(*) FROM mail_outbox) AS m`);
    const before = await count();
    await expect(inOrganization(record)).rejects.toThrow('the change failed');
    expect(await count()).toEqual(before);
  });
});

describe('recordRevocation', () => {
  const lastRevocation = async () =>
    (await sql('SELECT * FROM revocations ORDER BY id DESC LIMIT 1'))[0] as Record<string, Date & string>;
  const at = new Date('2026-11-20T12:00:00.700Z');
  /** By how many seconds a transaction that took longer was moved on: whole ones. */
  const lateBy = (moved: Date, from: Date) => {
    expect(moved.getMilliseconds()).toBe(0);
    return (moved.getTime() - from.getTime()) / 1_000;
  };

  test('of ever more sessions of one user takes no more room: further ones are one of the user [S-23]', async () => {
    const eve = await signUp(app);
    const soon = new Date(Date.now() - 1_000);
    const end = (n: number) => {
      const sessionId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      return database
        .within({ userId: eve.id })
        .transaction((tx) => recordRevocation(tx, { kind: 'session', userId: eve.id, sessionId, at: soon }));
    };
    for (let n = 0; n < 40; n += 1) await end(n);
    const told = await sql(
      'SELECT kind, count(*)::int AS n FROM revocations WHERE sub = $1 GROUP BY kind ORDER BY kind',
      [eve.id],
    );
    expect(told).toEqual([
      { kind: 'session', n: 30 },
      { kind: 'user', n: 1 },
    ]);
    // The session that acts goes on, with tokens from after the revocation.
    const body = { currentPassword: password, newPassword };
    const changed = await send(app, 'POST /password/change', { token: eve.token, body });
    expect(changed.status).toBe(200);
    const [{ from } = {}] = await sql(
      `SELECT extract(epoch FROM issued_before)::int AS from FROM revocations WHERE sub = $1 AND kind = 'user'`,
      [eve.id],
    );
    expect(Number(claimsOf(changed.body.session.token)['iat'])).toBeGreaterThanOrEqual(Number(from));
  });

  test('of a session names it until its last token has expired', async () => {
    await asUser((tx) =>
      recordRevocation(tx, { kind: 'session', userId: ada.id, sessionId: ada.sessionId, at }),
    );
    expect(await lastRevocation()).toMatchObject({
      kind: 'session',
      sid: ada.sessionId,
      sub: ada.id,
      organization: null,
      issued_before: null,
      until: new Date('2026-11-20T12:16:00.700Z'),
    });
  });

  test('of a member covers tokens up to the end of the next second, and later ones start there', async () => {
    await inOrganization((tx) => recordRevocation(tx, { kind: 'member', userId: ada.id, at }));
    const from = new Date('2026-11-20T12:00:02Z');
    expect(await lastRevocation()).toMatchObject({ kind: 'member', organization: organizationId, sid: null });
    const issuedBefore = (await lastRevocation())['issued_before'] as Date;
    expect(lateBy(issuedBefore, from)).toBeGreaterThanOrEqual(0);
    const [member] = await sql('SELECT tokens_from FROM members WHERE user_id = $1', [ada.id]);
    expect(member).toEqual({ tokens_from: issuedBefore });
  });

  test('of a user never moves back from when tokens are issued', async () => {
    const tokensFrom = async () =>
      (await sql('SELECT tokens_from FROM users WHERE id = $1', [ada.id]))[0]?.['tokens_from'];
    await asUser((tx) => recordRevocation(tx, { kind: 'user', userId: ada.id, at }));
    const before = (await tokensFrom()) as Date;
    expect(lateBy(before, new Date('2026-11-20T12:00:02Z'))).toBeGreaterThanOrEqual(0);
    await asUser((tx) =>
      recordRevocation(tx, { kind: 'user', userId: ada.id, at: new Date(at.getTime() - 3_600_000) }),
    );
    expect(await tokensFrom()).toEqual(before);
    const issuedBefore = (await lastRevocation())['issued_before'] as Date;
    expect(lateBy(issuedBefore, new Date('2026-11-20T11:00:02Z'))).toBeGreaterThanOrEqual(0);
  });

  test('in a transaction that is slow to commit also concerns tokens minted meanwhile', async () => {
    const grace = await signUp(app, 'Grace');
    const began = performance.now();
    await database.within({ userId: grace.id }).transaction(async (tx) => {
      await recordRevocation(tx, { kind: 'user', userId: grace.id, at });
      await new Promise((resolve) => setTimeout(resolve, 1_600));
    });
    const tookMs = performance.now() - began;
    const moved = (await lastRevocation())['issued_before'] as Date;
    expect(moved.getMilliseconds()).toBe(0);
    expect(moved.getTime()).toBeGreaterThan(at.getTime() + 1_600);
    expect(moved.getTime()).toBeLessThanOrEqual(at.getTime() + tookMs + 2_000);
    const [user] = await sql('SELECT tokens_from FROM users WHERE id = $1', [grace.id]);
    expect(user).toEqual({ tokens_from: moved });
  });
});

describe('recordEvent', () => {
  const member = {
    organizationId,
    userId: ada.id,
    email: ada.email,
    name: ada.name,
    createdAt: '1970-01-01T00:00:00.000Z',
    familyName: null,
    disabled: false,
    emailVerified: true,
  };
  const eventsAbout = (userId: string) =>
    sql('SELECT type, payload FROM events WHERE user_id = $1 ORDER BY id', [userId]);

  test('contains the full state of its subject', async () => {
    await inOrganization((tx) => recordEvent(tx, { type: 'member.added', ...member, role: 'admin' }));
    expect(await eventsAbout(ada.id)).toContainEqual({
      type: 'member.added',
      payload: { ...member, role: 'admin' },
    });
  });

  test('of an erased user leaves no earlier news of that user behind', async () => {
    await inOrganization((tx) => recordEvent(tx, { type: 'member.added', ...member, role: 'admin' }));
    await asUser((tx) => recordErasure(tx, ada.id, [organizationId]));
    expect(await eventsAbout(ada.id)).toEqual([
      { type: 'user.erased', payload: { organizationId, userId: ada.id } },
    ]);
  });
});

describe('recordAudit', () => {
  const entry = { action: 'member.role-changed' } as const;

  test('keeps who did what to whom, from where', async () => {
    const target = { type: 'user', id: ada.id };
    await inOrganization((tx) => recordAudit(tx, byAda, { ...entry, target, details: { to: 'admin' } }));
    const [row] = await sql('SELECT * FROM audit_events ORDER BY id DESC LIMIT 1');
    expect(row).toMatchObject({
      organization_id: organizationId,
      actor_kind: 'user',
      actor_user_id: ada.id,
      actor_name: ada.name,
      action: 'member.role-changed',
      target_type: 'user',
      target_id: ada.id,
      ip_address: '203.0.113.9',
      device: 'device …0001',
      details: { to: 'admin' },
    });
  });

  test.each([
    { kind: 'operator', name: null },
    { kind: 'job', name: 'personal-organizations' },
  ] as const)('names an actor without an account: $kind [S-181]', async (actor) => {
    await inOrganization((tx) => recordAudit(tx, { actor, client: null }, entry));
    const [row] = await sql('SELECT * FROM audit_events ORDER BY id DESC LIMIT 1');
    expect(row).toMatchObject({
      ...{ actor_kind: actor.kind, actor_name: actor.name, actor_user_id: null },
      ...{ ip_address: null, device: null },
    });
  });

  test('needs the scope of the organization that it belongs to', async () => {
    const record = asUser((tx) => recordAudit(tx, byAda, entry));
    await expect(record).rejects.toMatchObject({ code: 'SCOPE_REQUIRED' });
  });

  test('of what users do with their accounts reaches the organizations of that user alone', async () => {
    const eve = await signUp(app, 'Eve');
    const trail = () => sql('SELECT id FROM audit_events WHERE organization_id = $1', [organizationId]);
    const before = await trail();
    await database.within({ userId: eve.id }).transaction(async (tx) => {
      await recordOwnAudit(tx, { action: 'password.changed' });
    });
    expect(await trail()).toEqual(before);
    await asUser((tx) => recordOwnAudit(tx, { action: 'password.changed' }));
    expect(await trail()).toHaveLength(before.length + 1);
  });

  test('cannot be changed or deleted by the service [S-180]', async () => {
    const runtime = new pg.Client(config.DATABASE_URL);
    await runtime.connect();
    for (const text of ["UPDATE audit_events SET action = 'x.y'", 'DELETE FROM audit_events']) {
      await expect(runtime.query(text)).rejects.toMatchObject({ code: '42501' });
    }
    await runtime.end();
  });
});

describe('the outbox', () => {
  test('stores a letter that the database alone cannot read [S-184]', async () => {
    const token = randomBytes(32).toString('base64url');
    const letter = { to: ada.email, template: 'reset-password', data: { name: 'Ada', token } } as const;
    await asUser((tx) => outbox.enqueue(tx, letter));
    const [row] = await sql('SELECT * FROM mail_outbox ORDER BY created_at DESC LIMIT 1');
    const { id, payload, recipient } = row as { id: string; payload: Buffer; recipient: string };
    expect(recipient).toBe(ada.email);
    expect(payload.includes(token)).toBe(false);
    expect(openLetter(payload, id, secrets.current)).toEqual({
      ...letter,
      reader: { language: null, timeZone: null },
    });
    expect(() => openLetter(payload, randomUUID(), secrets.current)).toThrow();
  });
});
