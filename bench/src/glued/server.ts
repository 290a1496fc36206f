/**
 * What a team would glue together of good parts: Better Auth with its organizations, Prisma on the table of leads, and
 * Fastify around both. The tenant's filter is written by hand in each query. Started by glued.bench.ts, with the
 * addresses of the two databases.
 */
import { createHash, randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node';
import { organization } from 'better-auth/plugins';
import fastify from 'fastify';
import pg from 'pg';

interface LeadTable {
  findMany(query: object): Promise<object[]>;
  count(query: object): Promise<number>;
}

/** What the plugin adds to a session. */
interface ActiveSession {
  readonly activeOrganizationId?: string | null;
}

const [leadsUrl, authUrl] = process.argv.slice(2);
const port = Number(process.env['PORT']);
const source = new URL('../../../apps/leads-service/src/generated/prisma/client.ts', import.meta.url);
const { PrismaClient } = (await import(source.href)) as {
  PrismaClient: new (options: object) => { lead: LeadTable };
};
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: leadsUrl ?? '', max: 10 }) });

const digest = (password: string) => createHash('sha256').update(password).digest('hex');
const options = {
  baseURL: `http://127.0.0.1:${port}`,
  secret: randomUUID() + randomUUID(),
  database: new pg.Pool({ connectionString: authUrl, max: 10 }),
  emailAndPassword: {
    enabled: true,
    // Signing up is not measured.
    password: {
      hash: async (password: string) => digest(password),
      verify: async (given: { hash: string; password: string }) => digest(given.password) === given.hash,
    },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  advanced: { database: { generateId: () => randomUUID() } },
  plugins: [organization()],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
const handle = toNodeHandler(auth);

const app = fastify();
app.get('/ready', async () => 'ready');
app.register(async (scope) => {
  // It reads the body itself.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all('/api/auth/*', async (request, reply) => {
    reply.hijack();
    await handle(request.raw, reply.raw);
  });
});

const listed = {
  id: true,
  name: true,
  email: true,
  phone: true,
  status: true,
  source: true,
  createdAt: true,
};

app.get<{ Querystring: { page?: string; pageSize?: string } }>('/api/leads', async (request, reply) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) });
  const organizationId = (session?.session as ActiveSession | undefined)?.activeOrganizationId;
  if (!organizationId) return reply.code(401).send({ data: null, error: { code: 'UNAUTHENTICATED' } });
  const page = Number(request.query.page ?? 1);
  const pageSize = Number(request.query.pageSize ?? 10);
  const where = { organizationId, deletedAt: null };
  const [data, total] = await Promise.all([
    prisma.lead.findMany({
      where,
      select: listed,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: pageSize,
      skip: (page - 1) * pageSize,
    }),
    prisma.lead.count({ where }),
  ]);
  return { data, error: null, meta: { total, page, pageSize } };
});
await app.listen({ port, host: '127.0.0.1' });
