import { statementTypes } from '@tenantry/sql-check/types';
import { catalogProblems } from '@tenantry/sql-check/catalog';
import { statementProblems } from '@tenantry/sql-check/statements';
import { definedStatements, exchangeDifferences } from '@tenantry/tenancy/testing';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { claimsOf, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const { app, database } = await startService();
const runtime = new pg.Pool({ connectionString: database.runtimeUrl, max: 1 });
const statements = definedStatements('auth-service');
// A connection that is still closing is cut when the database is dropped.
runtime.on('error', () => undefined);
afterAll(() => runtime.end());

/** Rows of a table as the service's role sees them within a scope. */
async function rowsWithin(table: string, { organizationId = '', userId = '' }): Promise<unknown[]> {
  await runtime.query(
    `SELECT set_config('app.organization_id', $1, false), set_config('app.user_id', $2, false)`,
    [organizationId, userId],
  );
  const { rows } = await runtime.query<Record<string, unknown>>(`SELECT * FROM ${table}`);
  return rows;
}

/** What maintenance deletes: a policy of the owner of the tables shows it what is over. */
const swept = {
  audit_events: {
    other: 'audit_events_named and audit_events_organization',
    over: `created_at < (statement_timestamp() - '30 days'::interval)`,
    takes: 'integer',
  },
  mailed_tokens: {
    other: 'mailed_tokens_scope',
    over: `expires_at < (statement_timestamp() - '1 day'::interval)`,
    takes: '',
  },
  user_audit_events: {
    other: 'user_audit_events_user',
    over: `created_at < (statement_timestamp() - '30 days'::interval)`,
    takes: 'integer',
  },
  sessions: {
    other: 'sessions_scope',
    over: ['expires_at', 'revoked_at']
      .map((column) => `(${column} < (statement_timestamp() - '1 day'::interval))`)
      .join(' OR '),
    takes: '',
  },
  two_factor_challenges: {
    other: 'two_factor_challenges_user',
    over: `expires_at < (statement_timestamp() - '01:00:00'::interval)`,
    takes: '',
  },
};
/** Tables with what a connection has started, which ends with it. */
const ofConnections: Readonly<Record<string, true>> = { sessions: true, two_factor_challenges: true };
const acceptedEndings = Object.fromEntries(
  Object.keys(ofConnections).flatMap((table) => {
    const policy = `policy ${table}_of_connection of ${table}`;
    const condition = `(connection_id = (NULLIF(current_setting('app.connection_id'::text, true), ''::text))::uuid)`;
    return [
      `${policy} is none of the accepted forms in USING: ${condition}`,
      `${policy} is none of the accepted forms in WITH CHECK: ${condition}`,
      `${policy} holds for some roles alone`,
    ].map((problem) => [problem, 'for the owner, whose function ends what a connection has started']);
  }),
);
const acceptedSweeps = Object.fromEntries(
  Object.entries(swept).flatMap(([table, { other, over, takes }]) => {
    const why =
      'deletes what is over; the service is not the role of the policy, and can only call the function';
    const both = [other, `${table}_over`, ...(table in ofConnections ? [`${table}_of_connection`] : [])]
      .toSorted()
      .join(' and ');
    return [
      `function app.sweep_${table}(${takes}) runs with the rights of its owner`,
      `policy ${table}_over of ${table} is none of the accepted forms in USING: (${over})`,
      `policy ${table}_over of ${table} is none of the accepted forms in WITH CHECK: (${over})`,
      `policy ${table}_over of ${table} holds for some roles alone`,
      `policies ${both} of ${table} add up: any of them lets a row through`,
    ].map((problem) => [problem, why]);
  }),
);
/** The tables of identity, whose rows have no owner, or are read before the user is known. */
const unscoped = {
  users: 'found by e-mail address before anyone is signed in; a policy lets users be deleted in person alone',
  credentials: 'read by e-mail address before anyone is signed in',
  organizations:
    'the tenants themselves, also read by slug and by invitation; changed in their own scope alone',
  deleted_organizations: 'listed by the operator and by maintenance; changed in their own scope alone',
  signing_keys: 'the keys of the service',
  revocations: 'read by every verifier; names ids alone',
  events: 'read by other services',
  feed_history: 'says which history of the database the feeds belong to',
  feed_marks: 'names transactions alone',
  mail_outbox: 'sent by a worker, for everyone; the letters are encrypted',
  mail_budgets: 'counted for recipients that may have no account; a key is a hash',
  sign_in_failures: 'counted before anyone is signed in; an address is a hash',
  known_devices: 'asked before anyone is signed in; address and device are hashes',
  internal_requests: 'made by other services',
  used_passkey_challenges: 'used before the user is known; names no user',
  used_saml_assertions: 'used before the user is known; names no user',
  sign_in_flows: 'handed to a provider and found again before anyone is known; what it holds is encrypted',
  identity_keys: 'says whose an account at a provider is, before anyone is known; a key is a hash',
  domain_keys: 'says which organization has proven a domain, before anyone is signed in',
  connection_keys: 'says which connection of an organization is on, before anyone is signed in',
  mailed_sign_ins: 'waits for a code before anyone is known; a code is a keyed hash',
};

test('the catalog shows no way past row-level security [S-105]', async () => {
  const accepted = {
    ...acceptedSweeps,
    ...acceptedEndings,
    'function app.end_sessions_of(uuid,timestamp with time zone) runs with the rights of its owner':
      'ends what a connection of the organization of the scope has started, for all its users',
    'foreign key members_user_id_fkey of members leads to users, which has no owner':
      'a user is a member of several organizations; identity stays on one cluster',
    'foreign key former_members_user_id_fkey of former_members leads to users, which has no owner':
      'as that of members',
    'foreign key domain_keys_organization_domain_fkey of domain_keys does not begin with organization_id on both sides':
      'a key names the organization of its domain, with which it goes',
    'foreign key connection_keys_organization_id_fkey of connection_keys does not begin with organization_id on both sides':
      'a key names the organization of its connection, with which it goes',
    'foreign key removed_members_user_id_fkey of removed_members leads to users, which has no owner':
      'as that of members',
    'foreign key directory_people_user_id_fkey of directory_people leads to users, which has no owner':
      'as that of members',
    'policy audit_events_organization of audit_events is none of the accepted forms in WITH CHECK: ((organization_id = ( SELECT app.organization_id_in_scope() AS organization_id_in_scope)) OR (actor_user_id = ( SELECT app.user_id_in_scope() AS user_id_in_scope)))':
      'a user who acts in person leaves a trace in the organization; the statement joins the membership',
    'policy audit_events_organization of audit_events is none of the accepted forms in USING: ((organization_id = ( SELECT app.organization_id_in_scope() AS organization_id_in_scope)) OR (actor_user_id = ( SELECT app.user_id_in_scope() AS user_id_in_scope)))':
      'a user who acts in person reaches their own rows, to have them forget where they were',
    ...Object.fromEntries(
      ['USING', 'WITH CHECK'].map((clause) => [
        `policy audit_events_named of audit_events is none of the accepted forms in ${clause}: ((target_type = 'user'::text) AND (target_id = (( SELECT app.user_id_in_scope() AS user_id_in_scope))::text))`,
        'whom an entry names as its target has the name forgotten, in the scope of their own',
      ]),
    ),
    'policy audit_events_named of audit_events holds for some roles alone':
      'for the owner, whose function forgets names and nothing else',
    ...Object.fromEntries(
      [
        `policy api_keys_ending of api_keys is none of the accepted forms in USING: (expires_at < (statement_timestamp() + '14 days'::interval))`,
        `policy api_keys_over of api_keys is none of the accepted forms in USING: (expires_at < (statement_timestamp() - '30 days'::interval))`,
        'policy api_keys_ending of api_keys holds for some roles alone',
        'policy api_keys_over of api_keys holds for some roles alone',
        'policies api_keys_ending and tenant of api_keys add up: any of them lets a row through',
        'policies api_keys_over and tenant of api_keys add up: any of them lets a row through',
        'function app.sweep_api_keys() runs with the rights of its owner',
      ].map((problem) => [problem, 'as those of the tables that are swept']),
    ),
    'function app.organizations_with_ending_keys() runs with the rights of its owner':
      'names organizations alone whose owners are to be told',
    'function app.sweep_ended_sessions() runs with the rights of its owner':
      'as app.sweep_sessions, by when sessions ended',
    'function app.forget_actor(uuid) runs with the rights of its owner':
      'the service may not update the trail; it erases names and whereabouts, and policies leave it those of the user alone',
    'function app.organizations_mentioning(uuid) runs with the rights of its owner':
      'names organizations alone, and policies leave it the rows of the user of the scope',
    'function app.begin_feed_epoch() runs with the rights of its owner':
      'takes its locks, and writes nothing but in which history the feeds are',
    'trigger revocations_mark of revocations may reach another tenant: app.mark_feed() runs with the rights of its owner':
      'adds the name of the transaction to feed_marks',
    'trigger events_mark of events may reach another tenant: app.mark_feed() runs with the rights of its owner':
      'adds the name of the transaction to feed_marks',
    'trigger revocations_seal of revocations may reach another tenant: app.seal_revocation() runs with the rights of its owner':
      'moves a revocation that commits late, and nothing but the tokens it speaks of',
  };
  expect(await catalogProblems(runtime, { unscoped, accepted })).toEqual([]);
});

test('no statement leads out of its organization or from one user to another [S-106]', async () => {
  const snapshots = 'tells which transactions a snapshot shows';
  const functions = {
    pg_current_snapshot: snapshots,
    pg_snapshot_xmax: snapshots,
    pg_snapshot_xmin: snapshots,
    pg_visible_in_snapshot: snapshots,
    timezone: 'AT TIME ZONE',
    statement_timestamp: 'the time',
    pg_input_is_valid: 'whether a text is a UUID',
    'app.sweep_user_audit_events': 'deletes what is over',
    'app.sweep_audit_events': 'deletes what is over',
    'app.sweep_mailed_tokens': 'deletes what is over',
    'app.sweep_sessions': 'deletes what is over',
    'app.sweep_ended_sessions': 'deletes what is over',
    'app.sweep_two_factor_challenges': 'deletes what is over',
    'app.sweep_api_keys': 'deletes what is over',
    'app.organizations_with_ending_keys': 'names organizations alone',
    'app.end_sessions_of': 'ends what a connection of the organization of the scope has started',
    'app.feeds_are_current': 'compares one row with the history of the database',
    'app.begin_feed_epoch': 'writes in which history the feeds are',
    'app.forget_actor': 'erases names and whereabouts of the user of the scope',
    'app.organizations_mentioning': 'the organizations whose trails mention the user of the scope',
    'app.restore_organization': 'puts a row back, in the scope of its organization',
    to_jsonb: 'a row as JSON',
    row_to_json: 'a row as JSON',
    jsonb_to_record: 'JSON as a row',
    jsonb_array_elements_text: 'the elements of a JSON array',
    'app.fold_text': 'folds the case and the accents of a text',
    'app.loosen': 'makes apostrophes, dashes and blanks of a text one',
    'app.loose_pattern': 'a term as a pattern in which they are one',
    family: 'whether an address is of IPv4 or IPv6',
    pg_advisory_xact_lock: 'waits for another sign-up of the same address',
    hashtextextended: 'the number of a lock',
  };
  expect(await statementProblems(runtime, { statements, unscoped, functions })).toEqual([]);
});

test('types every statement as PostgreSQL describes it', async () => {
  const types = await statementTypes(database.adminUrl, 'auth-service', statements);
  await expect(types).toMatchFileSnapshot('../src/statements.types.ts');
});

test('every statement is answered as plain pg does', async () => {
  expect(await exchangeDifferences(runtime, statements)).toEqual([]);
});

test('the role of the service may do what the service does, and nothing else [S-111]', async () => {
  for (const statement of [
    'DELETE FROM users',
    'TRUNCATE signing_keys',
    'DELETE FROM organizations',
    'TRUNCATE sessions',
    'ALTER TABLE members NO FORCE ROW LEVEL SECURITY',
    'DROP TABLE sessions',
    'CREATE TABLE public.mine (id int)',
    'CREATE TABLE app.mine (id int)',
  ]) {
    await expect(runtime.query(statement)).rejects.toMatchObject({ code: '42501' });
  }
});

describe('an unfiltered query under the role of the service', () => {
  test('raises without a scope', async () => {
    await signUp(app);
    await expect(rowsWithin('members', {})).rejects.toThrow('neither an organization nor a user is set');
    await expect(rowsWithin('sessions', {})).rejects.toThrow('no user is set');
  });

  test("finds only a user's own memberships and sessions", async () => {
    const [ada] = [await signUp(app), await signUp(app, 'Eve')];
    const organizationId = String(claimsOf(ada.token)['organizationId']);
    expect(await rowsWithin('members', { userId: ada.id })).toMatchObject([
      { organization_id: organizationId, user_id: ada.id },
    ]);
    expect(await rowsWithin('members', { organizationId })).toMatchObject([{ user_id: ada.id }]);
    expect(await rowsWithin('sessions', { userId: ada.id })).toMatchObject([{ id: ada.sessionId }]);
  });

  test("cannot insert a member from outside the organization's scope", async () => {
    const [ada, eve] = [await signUp(app), await signUp(app, 'Eve')];
    await rowsWithin('members', { userId: eve.id });
    const insert = `INSERT INTO members VALUES ($1, $2, 'owner', now(), now())`;
    const values = [claimsOf(ada.token)['organizationId'], eve.id];
    await expect(runtime.query(insert, values)).rejects.toThrow('no organization is set');
  });
});

test('200 interleaved requests of 20 users over one connection see only their own rows', async () => {
  const small = await startService({ settings: { DATABASE_POOL_SIZE: '1' } });
  const users = await Promise.all(Array.from({ length: 20 }, (_, n) => signUp(small.app, `User ${n}`)));
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const user = users[n % users.length]!;
      const { body } = await send(small.app, 'GET /session', { token: user.token });
      expect(body.user.id).toBe(user.id);
      expect(body.organization.name).toBe(`${user.name}'s organization`);
      const listed = await send(small.app, 'GET /sessions', { token: user.token });
      expect(listed.body.sessions.map(({ id }) => id)).toEqual([user.sessionId]);
    }),
  );
});

test('behind a pooler in transaction mode all of it works the same [S-107]', async () => {
  const pooled = await startService({ settings: { TENANT_BINDING: 'transaction' } });
  const ada = await signUp(pooled.app);
  const created = await send(pooled.app, 'POST /organization/create', {
    token: ada.token,
    body: { name: 'Acme', slug: 'acme-pooled' },
  });
  expect(created.status).toBe(201);
  const { id } = created.body.organization;
  const switched = await send(pooled.app, 'POST /organization/switch', {
    token: ada.token,
    body: { organizationId: id },
  });
  expect(switched.status).toBe(200);
  expect((await signIn(pooled.app, ada.email)).body.user.organizationId).toBe(id);
  const listed = await send(pooled.app, 'GET /sessions', { token: ada.token });
  expect(listed.body.sessions).toHaveLength(2);
});
