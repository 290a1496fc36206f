import { randomUUID } from 'node:crypto';
import { mentionsOf } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { newEmail, password, send, signIn } from './support/client.ts';
import { ask, found, foundCompany, type Company } from './support/organizations.ts';
import { newAccount, newKey } from './support/service-accounts.ts';
import { startService } from './support/service.ts';

const service = await startService({ settings: { MAILED_SIGN_IN: 'true' } });
const { app, config, sql, database } = service;

/** The tables in which nothing leads to a person, and why. A new table fails until it is here, or a person is in it. */
const holdNobody = {
  organizations: 'the profile of an organization, which ends with the account that is alone in it',
  organization_logos: 'the picture of an organization',
  ended_invitations: 'digests of tokens, and how their invitations ended',
  domain_keys: 'domains, and the organizations that have proven them',
  connection_keys: 'which connection of an organization is on',
  directory_groups: 'groups of a directory, by the names that it gives them',
  signing_keys: 'keys of the service',
  feed_history: 'the history of the database',
  feed_marks: 'moments of the database',
  used_passkey_challenges: 'digests of random numbers, for five minutes',
  used_saml_assertions: 'digests of random numbers, for two hours',
  mail_budgets: 'keyed digests of addresses, for a day at most: an erasure gives no new budget',
  _prisma_migrations: 'migrations',
};
/** The tables that keep the id of a person who is gone, and nothing else of them. */
const keepIds = [
  // What was done, by ids.
  'audit_events',
  'invitations',
  // Who made them: a key outlives its maker.
  'service_accounts',
  'api_keys',
  // Who added them.
  'domains',
  'connections',
  'scim_tokens',
  'deleted_organizations',
  // That they are gone, for other services and verifiers.
  'events',
  'revocations',
  // Which request made the account, for a day.
  'internal_requests',
];

const authorization = `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}`;
interface Person {
  readonly id: string;
  readonly email: string;
  /** What leads to the person: columns mention it. */
  readonly marks: Readonly<Record<string, string>>;
}

/** An account that an organization creates for somebody, and that is used for everything. */
async function createPerson({ id: organizationId, owner }: Company): Promise<Person> {
  const email = newEmail();
  const name = `Grace ${randomUUID()}`;
  const created = await app.inject({
    method: 'POST',
    url: '/internal/users',
    headers: { authorization, 'idempotency-key': randomUUID() },
    payload: { organizationId, actorUserId: owner.id, email, name, password },
  });
  const { id } = created.json<{ user: { id: string } }>().user;
  await sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [id]);
  return { id, email, marks: { id, email, name } };
}

/** Leaves a trace of a person in every table, by use where that is short. */
async function liveAs(person: Person, company: Company): Promise<Readonly<Record<string, string>>> {
  const { id, email } = person;
  const device = `device-${randomUUID()}`;
  const phone = { 'x-device-id': device, 'user-agent': `Phone-${randomUUID()}/1` };
  const { token } = (await signIn(app, email, phone)).body.session;
  await send(app, 'POST /sign-in/email', { body: { email, password: 'wrong' }, headers: phone });
  await send(app, 'POST /password/forgot', { body: { email } });
  await send(app, 'POST /sign-in/mailed', { body: { email } });
  await ask(service, `PATCH /organization/${company.id}/members/${id}`, {
    token: company.owner.token,
    body: { role: 'admin' },
  });
  await ask(service, `POST /organization/${company.id}/invitations`, {
    token,
    body: { email: newEmail(), role: 'member' },
  });
  const place = { by: { token }, organizationId: company.id };
  await newKey(service, place, (await newAccount(service, place)).id, { password });
  await sql(
    `INSERT INTO domains (organization_id, id, domain, challenge, joins, created_by, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), 'acme.example', repeat('x', 43), 'nobody', $2, now(), now())`,
    [company.id, id],
  );
  await sql(
    `WITH made AS (
       INSERT INTO connections (organization_id, id, kind, name, created_by, created_at, updated_at)
       VALUES ($1, gen_random_uuid(), 'oidc', 'IdP', $2, now(), now()) RETURNING id)
     INSERT INTO connection_identities (organization_id, connection_id, subject, user_id, is_own, created_at)
     SELECT $1, id, 'ada', $2, false, now() FROM made`,
    [company.id, id],
  );
  await sql(
    `INSERT INTO arrivals (organization_id, connection_id, kind, slot, code, address, at)
     SELECT $1, id, 'sign-in', 0, 'SIGNED_IN', $2, now() FROM connections WHERE organization_id = $1`,
    [company.id, email],
  );
  await sql(
    `INSERT INTO scim_tokens (organization_id, id, connection_id, digest, ending, created_by, created_at)
     SELECT $1, gen_random_uuid(), id, sha256($2::uuid::text::bytea), 'abcd', $2, now() FROM connections WHERE organization_id = $1`,
    [company.id, id],
  );
  await sql(
    `INSERT INTO directory_people (organization_id, connection_id, user_id, user_name, user_name_key, attributes, created_at, updated_at)
     SELECT $1, id, $2, $3, $3, '{}', now(), now() FROM connections WHERE organization_id = $1`,
    [company.id, id, email],
  );
  await sql(
    `WITH made AS (
       INSERT INTO directory_groups (organization_id, connection_id, id, display_name, name_key, created_at, updated_at)
       SELECT $1, id, gen_random_uuid(), 'Sales', 'sales', now(), now() FROM connections WHERE organization_id = $1
       RETURNING connection_id, id)
     INSERT INTO directory_group_members (organization_id, connection_id, group_id, user_id)
     SELECT $1, connection_id, id, $2 FROM made`,
    [company.id, id],
  );
  await sql(`INSERT INTO removed_members (organization_id, user_id, removed_at) VALUES ($1, $2, now())`, [
    (await found(service, company.owner.token)).id,
    id,
  ]);
  await sql(
    `INSERT INTO revocations (kind, sub, issued_before, until) VALUES ('user', $1, now(), now() + '1 h')`,
    [id],
  );
  await sql(
    `INSERT INTO two_factor (user_id, encrypted_secret, secret_id, created_at)
     VALUES ($1, decode(repeat('00', 60), 'hex'), 'x', now())`,
    [id],
  );
  await sql(
    `INSERT INTO two_factor_backup_codes (user_id, code_hash) VALUES ($1, decode(repeat('00', 32), 'hex'))`,
    [id],
  );
  await sql(
    `INSERT INTO two_factor_challenges (user_id, id, token_hash, binding, created_at, expires_at)
     VALUES ($1, gen_random_uuid(), decode(repeat('00', 32), 'hex'), '', now(), now() + '5 min')`,
    [id],
  );
  await sql(
    `INSERT INTO passkeys (user_id, id, credential_id, public_key, counter, rp_id, backup_eligible, backed_up, name, created_at)
     VALUES ($1, gen_random_uuid(), '\\x01', decode(repeat('00', 77), 'hex'), 0, 'localhost', false, false, 'Phone', now())`,
    [id],
  );
  await sql(`INSERT INTO identity_keys (key, user_id) VALUES (sha256($1::bytea), $2)`, [email, id]);
  await sql(
    `INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
     VALUES ($1, gen_random_uuid(), 'p', 'i', 's', $2, now())`,
    [id, email],
  );
  await sql(
    `INSERT INTO sign_in_flows (id, state_digest, provider, intent, redirect_to, binding, user_id, encrypted_content,
       secret_id, created_at, expires_at)
     VALUES (gen_random_uuid(), sha256($1::bytea), 'p', 'link', 'r', '', $2, '', 's', now(), now() + '5 min')`,
    [email, id],
  );
  const ownOrganization = `Own ${randomUUID()}`;
  await deleteOrganization(token, ownOrganization);
  await deleteOrganization(company.owner.token, 'Another', id);
  const [hash] = await sql(
    `SELECT encode(email_hash, 'hex') AS of_email FROM known_devices ORDER BY last_signed_in_at DESC LIMIT 1`,
  );
  return {
    ...person.marks,
    ownOrganization,
    device,
    app: phone['user-agent'],
    addressHash: String(hash?.['of_email']),
  };
}

/** An organization that is deleted while its owner, and another user if there is one, belongs to it. */
async function deleteOrganization(owner: string, name: string, other?: string): Promise<void> {
  const { id } = await found(service, owner, name);
  const role = 'admin';
  if (other !== undefined) {
    await sql(
      `INSERT INTO members (organization_id, user_id, role, created_at, updated_at) VALUES ($1, $2, $3, now(), now())`,
      [id, other, role],
    );
  }
  const { status } = await ask(service, `DELETE /organization/${id}`, { token: owner });
  expect(status).toBe(200);
}

const mentions = async (marks: Readonly<Record<string, string>>) => {
  const tables: Record<string, string[]> = {};
  for (const [mark, text] of Object.entries(marks)) {
    for (const table of Object.keys(await mentionsOf(database.adminUrl, text)))
      (tables[table] ??= []).push(mark);
  }
  return tables;
};

const everyTable = async () =>
  (
    await sql(
      `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    )
  ).map(({ relname }) => String(relname));

describe.each([
  [
    'by the organization that created it',
    async ({ id }: Person, company: Company) => {
      const query = `organizationId=${company.id}&actorUserId=${company.owner.id}`;
      const url = `/internal/users/${id}?${query}`;
      return (await app.inject({ method: 'DELETE', url, headers: { authorization } })).statusCode;
    },
  ],
  [
    'by its user',
    async ({ email }: Person) => {
      await sql('DELETE FROM two_factor');
      await sql('DELETE FROM sign_in_failures');
      const { token } = (await signIn(app, email)).body.session;
      return (await ask(service, 'DELETE /user', { token, body: { password } })).status;
    },
  ],
])('an account that is ended %s', (_by, end) => {
  test('leaves its id, where the trail needs it, and nothing else in any table [S-195]', async () => {
    const company = await foundCompany(service);
    const person = await createPerson(company);
    const marks = await liveAs(person, company);

    const before = await mentions(marks);
    const unfilled = (await everyTable()).filter((table) => !(table in before) && !(table in holdNobody));
    expect(unfilled).toEqual([]);

    expect(await end(person, company)).toBe(204);
    const kept = Object.entries(await mentions(marks)).filter(
      ([table, by]) => by.some((mark) => mark !== 'id') || !keepIds.includes(table),
    );
    expect(kept).toEqual([]);
  });
});
