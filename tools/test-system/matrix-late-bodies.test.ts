import { join } from 'node:path';
import { connected, databaseNames, runningPostgres, withDatabase } from '@tenantry/dev-database';
import { patience } from '@tenantry/test-kit';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { withTwoFactor } from './matrix/authenticator.ts';
import { departureFromDocument } from './matrix/description.ts';
import {
  endings,
  newEndingTenant,
  type Authorized,
  type EndingTenant,
  type Ending,
} from './matrix/endings.ts';
import { lawfulRequest, wireRequest, withIds, type PreparedRequests } from './matrix/lawful-requests.ts';
import { isUnsafe, nameOf, readOperations } from './matrix/operations.ts';
import { park, type BodyLength, type ParkedRequest } from './matrix/parked.ts';
import { Api, bearer } from './matrix/people.ts';
import { requestsOfOneConnection } from './matrix/requests/auth-service.ts';
import { servicesAt } from './matrix/services.ts';
import { send, type WireRequest } from './matrix/wire.ts';

const whereabouts = inject('whereabouts');
const services = servicesAt(whereabouts);
const [api, operations] = await Promise.all([Api.of(services), readOperations(services)]);

const signsIn = 'begins a session by what its body proves, whatever session it comes in';
const carries = 'is decided by what its body carries, once it is whole';

/** Operations that act without a session, or in place of one, and why no ending concerns their bodies. */
const decidedByTheirBody: Readonly<Record<string, string>> = {
  'POST /api/auth/sign-up/email': carries,
  'POST /api/auth/sign-in/email': signsIn,
  'POST /api/auth/sign-in/mailed': carries,
  'POST /api/auth/sign-in/mailed/verify': signsIn,
  'POST /api/auth/sign-in/passkey/options': carries,
  'POST /api/auth/sign-in/passkey': signsIn,
  'POST /api/auth/sign-in/social': carries,
  'POST /api/auth/sign-in/ticket': signsIn,
  'POST /api/auth/sign-in/sso': carries,
  'POST /api/auth/sign-in/sso/ticket': signsIn,
  'POST /api/auth/sign-out': 'ends a session: nothing is left to end',
  'POST /api/auth/password/forgot': carries,
  'POST /api/auth/password/reset': carries,
  'POST /api/auth/email/resend': carries,
  'POST /api/auth/email/verify': carries,
  'POST /api/auth/invitations/reject': carries,
  'POST /api/auth/service-token': carries,
};

/** In place of the matrix's requests: in a session, and about the tenant's own organization. */
const otherwise: PreparedRequests = {
  ...requestsOfOneConnection(),
  'DELETE /api/auth/organization/{organizationId}': ({ organizationId }) => ({ path: { organizationId } }),
  'POST /api/auth/two-factor/verify-backup-code': async ({ api: inApi }) => {
    const by = await withTwoFactor(inApi);
    return { by, body: { code: by.backupCode } };
  },
};

const unsafe = operations.filter(isUnsafe);
/** What changes something in the name of somebody: its body may be parked. */
const writing = unsafe.filter((operation) => !(nameOf(operation) in decidedByTheirBody));

/** How a body gets to its service. */
const ways = {
  'received by the gateway first': { by: 'gateway', length: 'known' },
  'streamed by the gateway': { by: 'gateway', length: 'unknown' },
  'sent to the service': { by: 'service', length: 'known' },
  'sent to the service in chunks': { by: 'service', length: 'unknown' },
} as const satisfies Record<string, { readonly by: 'gateway' | 'service'; readonly length: BodyLength }>;
type Way = keyof typeof ways;
const wayNames = Object.keys(ways) as readonly Way[];

let adminUrl: string;
let ofMembers: readonly string[];
beforeAll(async () => {
  const postgres = await runningPostgres(join(whereabouts.directory, 'postgres'));
  if (!postgres) throw new Error('PostgreSQL does not run where the services are');
  ({ adminUrl } = postgres);
  const { roles } = await api.call<{ roles: Record<'member', string[]> }>(
    'GET /api/auth/organization/permissions',
    undefined,
    await api.signUp(),
  );
  ofMembers = roles.member;
});

interface Parked extends Authorized {
  readonly way: Way;
  readonly request: Authorized['request'];
  readonly parked: ParkedRequest;
}

/** The lawful requests of all operations that an ending concerns, in the name of the tenant's second owner. */
async function authorizedRequests(ending: Ending, tenant: EndingTenant): Promise<readonly Authorized[]> {
  const all = writing.map(async (operation) => {
    const lawful = await (otherwise[nameOf(operation)]?.(tenant) ?? lawfulRequest(operation, tenant));
    const about = withIds(lawful, ['organizationId'], () => tenant.organizationId);
    return { operation, request: { ...about, by: about.by ?? tenant.owner } };
  });
  return (await Promise.all(all)).filter((authorized) => ending.concerns(authorized, tenant));
}

/** With a body also where none is described. */
function withBody(request: WireRequest): WireRequest {
  if (request.body !== undefined) return request;
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' }, body: '{}' };
}

/** An organization has four uploads at a time: operations that share them share the ways. */
const waysOfUploads: Readonly<Record<string, readonly Way[]>> = Object.fromEntries(
  ['/api/leads', '/api/quotation/customers'].flatMap((prefix): (readonly [string, readonly Way[]])[] => [
    [`POST ${prefix}/import`, ['streamed by the gateway', 'sent to the service in chunks']],
    [`POST ${prefix}/import/read`, ['received by the gateway first', 'sent to the service']],
  ]),
);

/** Parks the same request, once in each way. */
async function parkEverywhere(
  { operation, request }: Authorized,
  some = waysOfUploads[nameOf(operation)] ?? wayNames,
): Promise<readonly Parked[]> {
  const wire = withBody(wireRequest(operation, request));
  const all = some.map(async (way) => {
    const { by, length } = ways[way];
    const origin = services.urlOf(by === 'gateway' ? 'gateway' : operation.service);
    return { operation, request, way, parked: await park(origin, wire, length) };
  });
  return Promise.all(all);
}

/** A read of each service; one that asks for a permission, where there is one without an id. */
const reads = services.names.flatMap((service) => {
  const all = operations.filter(
    (operation) =>
      operation.service === service &&
      operation.method === 'GET' &&
      operation.access !== 'public' &&
      operation.pathParameters.length === 0,
  );
  const read = all.find(({ access }) => access.includes(':')) ?? all[0];
  return read ? [read] : [];
});

const readAs = (tenant: EndingTenant, some = reads) =>
  Promise.all(
    some.map(async (read) => {
      const request = wireRequest(read, await lawfulRequest(read, tenant), bearer(tenant.owner));
      return (await send(services.urlOf(read.service), request)).status;
    }),
  );

/** Ends what authorizes the requests; that of the tenant's owner last, so that what ends after it is known of all. */
async function endAll(ends: ReadonlyMap<string, () => Promise<unknown>>, last: string): Promise<void> {
  await Promise.all([...ends].filter(([of]) => of !== last).map(([, end]) => end()));
  await ends.get(last)?.();
}

/** The entries of trails that name somebody or something. */
async function entriesOf(ids: readonly string[]): Promise<Set<string>> {
  const entries = services.names.map(async (service) => {
    const url = withDatabase(adminUrl, databaseNames(service).database);
    return connected(url, async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '%audit_events'`,
      );
      const perTable = tables.map(({ name }) =>
        client.query<{ entry: string }>(
          `SELECT '${service}, ${name}: ' || t.id AS entry FROM ${name} AS t
           WHERE EXISTS (SELECT FROM unnest($1::text[]) AS id WHERE strpos(to_jsonb(t)::text, id) > 0)`,
          [ids],
        ),
      );
      return (await Promise.all(perTable)).flatMap(({ rows }) => rows.map(({ entry }) => entry));
    });
  });
  return new Set((await Promise.all(entries)).flat());
}

it('every operation that changes something is parked, or named with the reason why not [S-141]', () => {
  const exceptions = unsafe.filter((operation) => nameOf(operation) in decidedByTheirBody);
  expect(exceptions.map(nameOf).sort()).toEqual(Object.keys(decidedByTheirBody).sort());
  expect(exceptions.filter(({ access }) => access !== 'public')).toEqual([]);
  expect(writing.length).toBeGreaterThan(60);
});

it('a body may take its time while nothing ends', { timeout: patience(120_000) }, async () => {
  const tenant = await newEndingTenant(await api.newTenant(), ofMembers);
  for (const [i, operation] of writing.entries()) {
    const { by = tenant.owner, ...request } = await lawfulRequest(operation, tenant);
    const way = wayNames.slice(i % wayNames.length).slice(0, 1);
    const [parked] = await parkEverywhere({ operation, request: { ...request, by } }, way);
    const { status, text } = (await parked?.parked.finish()) ?? {};
    expect(status, `${nameOf(operation)}, ${way.join()}: ${text}`).toBeLessThan(300);
  }
});

describe('a body that becomes whole too late', { timeout: patience(120_000) }, () => {
  it.each(Object.entries(endings))('is refused, and writes nothing: %s [S-141]', async (_, ending) => {
    const tenant = await newEndingTenant(await api.newTenant(), ofMembers);
    const authorized = await authorizedRequests(ending, tenant);
    const people = new Map(authorized.map(({ request: { by } }) => [ending.of(by), by]));
    const ends = new Map(
      await Promise.all(
        [...people].map(async ([of, person]) => [of, await ending.prepare(tenant, person)] as const),
      ),
    );

    const parked = (await Promise.all(authorized.map((each) => parkEverywhere(each)))).flat();
    // What was sent before has been let in by the time at which what is sent now is answered.
    expect(new Set(await readAs(tenant))).toEqual(new Set([200]));
    await endAll(ends, ending.of(tenant.owner));
    const withPermission = reads.filter(({ access }) => access.includes(':'));
    await expect
      .poll(async () => new Set(await readAs(tenant, withPermission)), { timeout: patience() })
      .toEqual(new Set([401]));

    const ids = [tenant.organizationId, ...[...people.values()].map(({ id }) => id)];
    const before = await entriesOf(ids);
    const answers = await Promise.all(
      parked.map(async ({ operation, way, parked: body }) => ({
        operation,
        way,
        answer: await body.finish(),
      })),
    );
    const accepted = answers
      .filter(({ answer }) => !ending.refusals.includes(answer.status))
      .map(
        ({ operation, way, answer }) =>
          `${nameOf(operation)}, ${way}: ${answer.status} ${answer.text.slice(0, 100)}`,
      );
    expect(accepted).toEqual([]);
    for (const { operation, answer } of answers)
      expect(departureFromDocument(operation, answer)).toBeUndefined();
    // Those of an organization that ended with its account may go meanwhile.
    const written = [...(await entriesOf(ids))].filter((entry) => !before.has(entry));
    expect(written).toEqual([]);
  });
});
