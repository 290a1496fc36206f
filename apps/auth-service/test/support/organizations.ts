import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patience } from '@tenantry/test-kit';
import type { Role } from '@tenantry/jwt-verify';
import { vi } from 'vitest';
import { claimsOf, send, signUp, type Request, type SignedUp } from './client.ts';
import type { RunningService } from './service.ts';

/** An answer whose body is of a certain kind. */
export interface AnswerOf<Body> {
  readonly status: number;
  readonly body: Body & Refused;
}
interface Refused {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly requestId: string;
}

/** Sends one request, and says what kind of answer is expected. */
export async function ask<Body>(
  { app }: Pick<RunningService, 'app'>,
  request: string,
  options: Request = {},
): Promise<AnswerOf<Body>> {
  const { status, body } = await send(app, request, options);
  return { status, body: body as unknown as Body & Refused };
}

/** An organization with one member of each role. */
export interface Company {
  readonly id: string;
  readonly name: string;
  readonly owner: SignedUp;
  readonly admin: SignedUp;
  readonly member: SignedUp;
}

/** Confirms the addresses of users, past the letters: who invites others must have. */
export async function prove(
  { sql }: RunningService,
  ...users: readonly Pick<SignedUp, 'id'>[]
): Promise<void> {
  const ids = users.map(({ id }) => id);
  await sql('UPDATE users SET email_verified_at = created_at WHERE id = ANY($1)', [ids]);
}

/** Founds an organization and fills it. Everybody in it has a personal organization besides, and who invites is proven. */
export async function foundCompany(service: RunningService): Promise<Company> {
  const [owner, admin, member] = await Promise.all(
    ['Olga Owner', 'Adam Admin', 'Mia Member'].map((name) => signUp(service.app, name)),
  );
  await prove(service, owner!, admin!);
  const { id } = await found(service, owner!.token, 'Acme');
  await enter(service, id, admin!, 'admin');
  await enter(service, id, member!, 'member');
  return { id, name: 'Acme', owner: owner!, admin: admin!, member: member! };
}

/** Founds an organization that its founder owns. */
export async function found(service: RunningService, token: string, name = 'Acme') {
  const body = { name, slug: `acme-${randomUUID().slice(0, 8)}` };
  const answer = await ask<{ organization: { id: string } }>(service, 'POST /organization/create', {
    token,
    body,
  });
  return answer.body.organization;
}

/** Makes somebody a member, past the service, after everybody else. */
export async function enter({ sql }: RunningService, organizationId: string, user: SignedUp, role: Role) {
  await sql(
    `INSERT INTO members (organization_id, user_id, role, created_at, updated_at)
     SELECT $1, $2, $3, max(created_at) + INTERVAL '1 millisecond', now() FROM members WHERE organization_id = $1`,
    [organizationId, user.id, role],
  );
}

/** The organization that came with an account. */
export function personalOrganizationOf({ token }: Pick<SignedUp, 'token'>): string {
  return String(claimsOf(token)['organizationId']);
}

/** Makes an organization the active one; a token for it. */
export async function switchTo({ app }: RunningService, token: string, organizationId: string) {
  const { status, body } = await send(app, 'POST /organization/switch', { token, body: { organizationId } });
  if (status !== 200) throw new Error(`switch answered ${status}: ${JSON.stringify(body)}`);
  return body.session.token;
}

/** Everybody in an organization, as name: role. */
export async function rolesIn(
  { sql }: RunningService,
  organizationId: string,
): Promise<Record<string, string>> {
  const rows = await sql(
    `SELECT u.name, m.role FROM members m JOIN users u ON u.id = m.user_id WHERE organization_id = $1`,
    [organizationId],
  );
  return Object.fromEntries(rows.map(({ name, role }) => [String(name), String(role)]));
}

/** What was told of a user and an organization, in order: revocations, events and the audit trail. */
export async function traces(
  { sql }: RunningService,
  { organizationId, userId }: { organizationId: string; userId: string },
) {
  const revoked = await sql(
    `SELECT kind FROM revocations WHERE sub = $2 AND organization IS NOT DISTINCT FROM $1 ORDER BY id`,
    [organizationId, userId],
  );
  const events = await sql(
    `SELECT type, payload FROM events WHERE organization = $1 AND user_id = $2 ORDER BY id`,
    [organizationId, userId],
  );
  const audit = await sql(
    `SELECT action, actor_user_id AS actor, target_id AS target, details
     FROM audit_events WHERE organization_id = $1 AND (target_id = $2 OR actor_user_id::text = $2) ORDER BY id`,
    [organizationId, userId],
  );
  return { revoked: revoked.map(({ kind }) => kind), events, audit };
}

/** Waits for the letter to an address, and gives the invitation's token in it. */
export function mailedInvitation({ mailDirectory }: RunningService, email: string): Promise<string> {
  return vi.waitFor(
    () => {
      const letters = readdirSync(mailDirectory).map((file) =>
        readFileSync(join(mailDirectory, file), 'utf8'),
      );
      const tokens = letters
        .filter((letter) => letter.includes(email))
        .flatMap((letter) => letter.replaceAll(/=\r?\n/g, '').match(/tri_[\w-]{86}/) ?? []);
      const last = tokens.at(-1);
      if (last === undefined) throw new Error(`there is no invitation for ${email} yet`);
      return last;
    },
    { timeout: patience(), interval: 20 },
  );
}
