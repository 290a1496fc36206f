/**
 * leads-service of this checkout beside that of another one, such as the version before a change, each on a database of
 * its own, for 1,000 organizations in turn, in alternating rounds, as ratios:
 *
 *     git worktree add ../before COMMIT
 *     (cd ../before && npm ci && npm run migrate -- --help)
 *     AGAINST=../before npm run bench -- record against
 *
 * Goal: no request takes more processor time than before.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { contest, type Side } from './contest.ts';
import { startEmptyFeed } from './empty-feed.ts';
import { decided, median, report, sized, spread } from './figures.ts';
import { inTurn, type CallerRequest } from './identity/load.ts';
import type { LeadsDatabase } from './leads-database.ts';
import { startProgram, type Program } from './program.ts';

const rounds = sized(7, 1);
const seconds = sized(3, 0.5);
const callers = 32;
const organizations = sized(1_000, 10);
const leadsEach = 20;
const goal = 1;

const against = process.env['AGAINST'];
if (against === undefined)
  throw new Error('AGAINST names the checkout to measure against: see the head of this bench.');
const homes = { here: resolve(import.meta.dirname, '../..'), there: resolve(against) };

/** One version of the service, with its data. */
interface Version {
  readonly database: LeadsDatabase;
  readonly program: Program;
  /** A lead of each organization. */
  readonly leadOf: ReadonlyMap<string, string>;
}

interface Tenant {
  readonly organizationId: string;
  readonly token: string;
}

/** What is asked of both, of an organization with one of its leads. */
type Request = (tenant: Tenant, leadId: string) => Omit<CallerRequest, 'headers'>;

let count = 0;
const requests: Readonly<Record<string, Request>> = {
  'first page': () => ({ method: 'GET', path: '/api/leads' }),
  'one lead': (_, leadId) => ({ method: 'GET', path: `/api/leads/${leadId}` }),
  create: () => {
    const body = { name: 'Åsa Lindström', email: `asa${++count}@example.com`, source: 'website' };
    return { method: 'POST', path: '/api/leads', body };
  },
  change: (_, leadId) => {
    return { method: 'PATCH', path: `/api/leads/${leadId}`, body: { notes: `Called ${++count} times.` } };
  },
};

const issuer = await createTestIssuer({ server: true });
const feed = await startEmptyFeed();
const tenants = await Promise.all(
  Array.from({ length: organizations }, async () => {
    const organizationId = randomUUID();
    return { organizationId, token: await issuer.token({ organizationId }) };
  }),
);
const versions: Version[] = [];

async function startVersion(home: string): Promise<Version> {
  const source = pathToFileURL(join(home, 'bench/src/leads-database.ts'));
  const { createLeadsDatabase } = (await import(source.href)) as typeof import('./leads-database.ts');
  const database = await createLeadsDatabase();
  for (const { organizationId } of tenants) await database.fill(organizationId, leadsEach);
  await database.settle();
  const { rows } = await database.admin.query<{ organizationId: string; id: string }>(
    'SELECT DISTINCT ON (organization_id) organization_id AS "organizationId", id FROM leads',
  );
  const program = await startProgram({
    file: pathToFileURL(join(home, 'apps/leads-service/src/main.ts')).href,
    env: {
      DATABASE_URL: database.runtimeUrl,
      AUTH_URL: issuer.issuer,
      AUTH_INTERNAL_URL: feed.url,
      INTERNAL_API_KEY: randomBytes(48).toString('base64'),
      ...(issuer.server && { AUTH_REVOCATIONS_URL: issuer.server.revocationsUrl }),
    },
  });
  const version = { database, program, leadOf: new Map(rows.map((lead) => [lead.organizationId, lead.id])) };
  versions.push(version);
  return version;
}

function sideOf(name: string, { program, leadOf }: Version, request: Request): Side {
  return {
    name,
    url: program.url,
    pids: [program.pid],
    startMs: [program.startMs],
    callers: inTurn(callers, tenants, (tenant) => ({
      ...request(tenant, leadOf.get(tenant.organizationId) ?? ''),
      headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
    })),
  };
}

try {
  const [here, there] = [await startVersion(homes.here), await startVersion(homes.there)];
  for (const [what, request] of Object.entries(requests)) {
    const sides = [sideOf(`${what}: here`, here, request), sideOf(`${what}: there`, there, request)] as const;
    const { byProcessor } = await contest(...sides, { rounds, seconds });
    const share = byProcessor.map((ratio) => 1 / ratio);
    report({
      what: `${what}: processor time, to the version before`,
      value: spread(share),
      goal: String(goal),
      reached: decided(share, median(share) <= goal),
    });
  }
} finally {
  await Promise.all(versions.map(({ program }) => program.stop()));
  await issuer.close();
  await feed.stop();
  for (const { database } of versions) await database.drop();
}
process.exit();
