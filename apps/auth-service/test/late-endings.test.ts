import { randomUUID } from 'node:crypto';
import { canary } from '@tenantry/test-kit';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { newEmail, password, send, signUp, type Answer, type SignedUp } from './support/client.ts';
import { enter, foundCompany, mailedInvitation, switchTo } from './support/organizations.ts';
import { inLine } from './support/pairs.ts';
import { startService } from './support/service.ts';

/** What happens to a request when it has been let in: before its body arrives, or before its transaction. */
let meanwhile: (() => Promise<unknown>) | undefined;

const interrupted = 'x-interrupted';
const interruptAt =
  (moment: string) =>
  async ({ headers }: FastifyRequest) => {
    if (headers[interrupted] === moment) await meanwhile?.();
  };
const service = await startService({
  extend(app) {
    app.addHook('preParsing', interruptAt('before the body'));
    app.addHook('preHandler', interruptAt('after the body'));
  },
});
const { app, sql } = service;
const company = await foundCompany(service);
const { owner, member } = company;
await enter(service, company.id, await signUp(app, 'Second Owner'), 'owner');
const organization = `/organization/${company.id}`;
const token = await switchTo(service, owner.token, company.id);

interface Attempt {
  readonly request: string;
  readonly body?: object;
  readonly moment?: 'before the body' | 'after the body';
}

const ownAccount: readonly Attempt[] = [
  { request: 'PATCH /user', body: { name: 'Somebody Else' } },
  { request: 'DELETE /user' },
  { request: 'POST /email/change', body: { newEmail: newEmail() } },
  {
    request: 'POST /password/change',
    body: { currentPassword: password, newPassword: `more horses ${canary}` },
  },
  { request: 'DELETE /password' },
  { request: 'POST /two-factor/enable', body: { password } },
  { request: 'DELETE /sessions?scope=others' },
  { request: `DELETE /sessions/${owner.sessionId}` },
  { request: 'POST /organization/create', body: { name: 'Late', slug: 'late-organization' } },
  { request: 'POST /organization/switch', body: { organizationId: company.id } },
];

const members: readonly Attempt[] = [
  { request: `PATCH ${organization}`, body: { name: 'Renamed late' } },
  { request: `DELETE ${organization}/logo` },
  { request: `POST ${organization}/invitations`, body: { email: newEmail(), role: 'owner' } },
  { request: `PATCH ${organization}/members/${member.id}`, body: { role: 'admin' } },
  { request: `DELETE ${organization}/members/${member.id}` },
  { request: `POST ${organization}/members/${member.id}/disable` },
  { request: `POST ${organization}/leave` },
  { request: `DELETE ${organization}` },
];

/** All that the service has recorded. */
async function recorded() {
  const tables = [
    'audit_events',
    'user_audit_events',
    'events',
    'revocations',
    'mail_outbox',
    'organizations',
    'invitations',
  ];
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const [row] = await sql(`SELECT ${counts.join(', ')},
    (SELECT array_agg(name ORDER BY id) FROM organizations) AS names, (SELECT array_agg(role ORDER BY user_id) FROM members) AS roles`);
  return row;
}

/** Sends a request, in the course of which something ends. */
async function interrupt(
  { request, body, moment = 'after the body' }: Attempt,
  end: () => Promise<unknown>,
  by: Pick<SignedUp, 'token'> = { token },
): Promise<Answer> {
  meanwhile = end;
  try {
    return await send(app, request, { ...by, ...(body && { body }), headers: { [interrupted]: moment } });
  } finally {
    meanwhile = undefined;
  }
}

/** An ending, and how it is taken back for the next request. */
interface Ending {
  readonly end: string;
  readonly undo: string;
  readonly refused: number;
}

const sessionsOf = `UPDATE sessions SET revoked_at`;
const ofAccount: Readonly<Record<string, Ending>> = {
  'whose session has ended': {
    end: `${sessionsOf} = now() WHERE user_id = $1`,
    undo: `${sessionsOf} = NULL WHERE user_id = $1`,
    refused: 401,
  },
  'whose account is disabled': {
    end: 'UPDATE users SET disabled_at = now() WHERE id = $1',
    undo: 'UPDATE users SET disabled_at = NULL WHERE id = $1',
    refused: 401,
  },
};
const membershipEnds: Ending = {
  end: 'UPDATE members SET user_id = $2 WHERE user_id = $1 AND organization_id = $3',
  undo: 'UPDATE members SET user_id = $1 WHERE user_id = $2 AND organization_id = $3',
  refused: 404,
};
const roleOf = (role: string) =>
  `UPDATE members SET role = '${role}' WHERE user_id = $1 AND organization_id = '${company.id}'`;
const roleIsLowered: Ending = { end: roleOf('member'), undo: roleOf('owner'), refused: 403 };
const ofMember: Readonly<Record<string, Ending>> = {
  ...ofAccount,
  'whose membership has ended': membershipEnds,
};

async function runAll(attempts: readonly Attempt[], { end, undo, refused }: Ending) {
  const stranger = await signUp(app, 'Sam Stranger');
  const values = (text: string) =>
    [owner.id, ...(text.includes('$2') ? [stranger.id, company.id] : [])] satisfies unknown[];
  for (const attempt of attempts) {
    const before = await recorded();
    await sql('UPDATE sessions SET authenticated_at = now() WHERE user_id = $1', [owner.id]);
    const { status } = await interrupt(attempt, () => sql(end, values(end)));
    await sql(undo, values(undo));
    expect([attempt.request, status]).toEqual([attempt.request, refused]);
    expect(await recorded(), attempt.request).toEqual(before);
  }
}

/** Every operation of a signed-in user that is not a GET, with the smallest body that can be parsed. */
async function operations(): Promise<readonly (Attempt & { readonly isOfOrganization: boolean })[]> {
  const { paths } = (await app.inject('/api/auth/openapi.json')).json<{
    paths: Record<string, Record<string, { 'x-access'?: string; requestBody?: { content: object } }>>;
  }>();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { 'x-access': access = 'public' }]) => method !== 'get' && access !== 'public')
      .map(([method, { requestBody }]) => ({
        request: `${method.toUpperCase()} ${path
          .replace('{organizationId}', company.id)
          .replaceAll(/\{[^}]+\}/g, () => randomUUID())}`,
        ...('application/json' in (requestBody?.content ?? {}) && { body: {} }),
        moment: 'before the body' as const,
        isOfOrganization: path.includes('{organizationId}'),
      })),
  );
}

describe('access is decided again when the body is whole: every operation refuses a caller', () => {
  it.each(Object.entries(ofAccount))('%s while it arrived', async (_, ending) => {
    const all = await operations();
    expect(all.length).toBeGreaterThan(25);
    await runAll(all, ending);
  });

  it('whose membership has ended while it arrived', async () => {
    const all = await operations();
    await runAll(
      all.filter(({ isOfOrganization }) => isOfOrganization),
      membershipEnds,
    );
  });
});

describe('a transaction asks again: it does nothing for a caller', () => {
  it.each(Object.entries(ofAccount))(
    '%s since the body arrived, on their own account [S-141]',
    async (_, ending) => {
      await runAll(ownAccount, ending);
    },
  );

  it.each(Object.entries(ofMember))(
    '%s since the body arrived, in an organization [S-141]',
    async (_, ending) => {
      await runAll(members, ending);
    },
  );

  it('whose role is lower by now [S-141]', async () => {
    // Every member may leave.
    await runAll(
      members.filter(({ request }) => !request.endsWith('/leave')),
      roleIsLowered,
    );
  });

  it.each(members.map(({ request, body }) => [request.replace(company.id, ':id'), body] as const))(
    'whose organization is deleted by a transaction before theirs: %s [S-141]',
    async (name, body) => {
      const theirs = await foundCompany(service);
      await enter(service, theirs.id, await signUp(app, 'Third Owner'), 'owner');
      const request = name.replace(':id', theirs.id).replace(member.id, theirs.member.id);
      const by = { token: await switchTo(service, theirs.owner.token, theirs.id) };
      const removal = () => send(app, `DELETE /organization/${theirs.id}`, { token: theirs.admin.token });
      await sql(`UPDATE members SET role = 'owner' WHERE user_id = $1 AND organization_id = $2`, [
        theirs.admin.id,
        theirs.id,
      ]);
      let after: unknown;
      const late = async () => {
        const answer = await send(app, request, { ...by, ...(body && { body }) });
        after = answer.body.code;
        return answer;
      };
      const statuses = await inLine({ service, user: theirs.owner }, [removal, late]);
      expect([...statuses, after]).toEqual([200, 404, 'NOT_FOUND']);
      const [left] = await sql(
        `SELECT (SELECT count(*)::int FROM organizations WHERE id = $1) AS organizations,
           (SELECT count(*)::int FROM members WHERE organization_id = $1) AS members,
           (SELECT count(*)::int FROM invitations WHERE organization_id = $1) AS invitations,
           (SELECT array_agg(action ORDER BY id) FROM audit_events
            WHERE organization_id = $1 AND action <> 'organization.created') AS recorded`,
        [theirs.id],
      );
      expect(left).toEqual({
        ...{ organizations: 0, members: 0, invitations: 0 },
        recorded: ['organization.deleted'],
      });
    },
  );

  it('who was erased: 401, and no error of the database', async () => {
    for (const request of ['POST /organization/create', 'POST /invitations/accept']) {
      const gone = await signUp(app);
      const body = request.endsWith('create')
        ? { name: 'Gone', slug: 'gone-organization' }
        : { token: await invitationFor(gone) };
      const erase = () => send(app, 'DELETE /user', { token: gone.token, body: { password } });
      const answer = await interrupt({ request, body }, erase, gone);
      expect([request, answer.status, answer.body.code]).toEqual([request, 401, 'UNAUTHENTICATED']);
    }
  });
});

async function invitationFor({ email }: SignedUp): Promise<string> {
  const body = { email, role: 'member' };
  const { status } = await send(app, `POST ${organization}/invitations`, { token, body });
  expect(status).toBe(201);
  return mailedInvitation(service, email);
}
