/**
 * leads-service beside a bare Fastify and `pg` route with the same SQL, for 1,000 organizations in turn, in alternating
 * rounds, as ratios:
 *
 *     npm run bench -- leads-list
 *
 * Goal: 0.7 or more, with the token verified, the permission checked, row-level security bound again for nearly every
 * request, and the envelope made.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { contest, type Side } from './contest.ts';
import { decided, median, report, sized, spread } from './figures.ts';
import { inTurn } from './identity/load.ts';
import { startEmptyFeed } from './empty-feed.ts';
import { createLeadsDatabase } from './leads-database.ts';
import { startProgram, type Program } from './program.ts';

const rounds = sized(7, 1);
const seconds = sized(3, 0.5);
const callers = 32;
const organizations = sized(1_000, 10);
const leadsEach = 20;
const goal = 0.7;

const database = await createLeadsDatabase();
const issuer = await createTestIssuer({ server: true });
const feed = await startEmptyFeed();
const programs: Program[] = [];

try {
  const tenants = await Promise.all(
    Array.from({ length: organizations }, async () => {
      const organizationId = randomUUID();
      return { organizationId, token: await issuer.token({ organizationId }) };
    }),
  );
  for (const { organizationId } of tenants) await database.fill(organizationId, leadsEach);
  await database.settle();
  const { rows: leads } = await database.admin.query<{ organizationId: string; id: string }>(
    'SELECT DISTINCT ON (organization_id) organization_id AS "organizationId", id FROM leads',
  );
  const leadOf = new Map(leads.map(({ organizationId, id }) => [organizationId, id]));

  const bare = await startProgram({
    file: './bare-leads.ts',
    args: [database.adminUrl],
    readyPath: '/ready',
  });
  const service = await startProgram({
    file: '../../apps/leads-service/src/main.ts',
    env: {
      DATABASE_URL: database.runtimeUrl,
      AUTH_URL: issuer.issuer,
      AUTH_INTERNAL_URL: feed.url,
      INTERNAL_API_KEY: randomBytes(48).toString('base64'),
      ...(issuer.server && { AUTH_REVOCATIONS_URL: issuer.server.revocationsUrl }),
    },
  });
  programs.push(bare, service);

  for (const [what, pathOf] of [
    ['first page, unfiltered', () => '/api/leads'],
    ['one lead', (organizationId: string) => `/api/leads/${leadOf.get(organizationId) ?? ''}`],
  ] as const) {
    const sideOf = (name: string, { url, pid, startMs }: Program): Side => ({
      name: `${what}: ${name}`,
      url,
      pids: [pid],
      startMs: [startMs],
      callers: inTurn(callers, tenants, ({ organizationId, token }) => ({
        method: 'GET',
        path: pathOf(organizationId),
        headers: { authorization: `Bearer ${token}`, 'x-organization-id': organizationId },
      })),
    });
    const sides = [sideOf('leads-service', service), sideOf('bare Fastify and pg', bare)] as const;
    const { byRequests, byProcessor } = await contest(...sides, { rounds, seconds });
    report({
      what: `${what}: ratio, ${organizations.toLocaleString('en')} organizations in turn`,
      value: `${spread(byRequests)}; by processor time ${spread(byProcessor)}`,
      goal: String(goal),
      reached: decided(byRequests, median(byRequests) >= goal),
    });
  }
} finally {
  await Promise.all(programs.map(({ stop }) => stop()));
  await issuer.close();
  await feed.stop();
  await database.drop();
}
process.exit();
