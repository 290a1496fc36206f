/**
 * The whole request for a page of leads: gateway and leads-service beside what a team would glue together, the session
 * check of Better Auth and Prisma in one Fastify process. Same table, same answer, 1,000 organizations in turn:
 *
 *     npm run bench -- glued
 *
 * Goal: five times or more, by requests and by processor time.
 */
import { deepStrictEqual as deepEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { startAuthService, signUp } from './auth-process.ts';
import { contest, type Side } from './contest.ts';
import { decided, median, report, sized, spread } from './figures.ts';
import { signUpAtPeer } from './glued/sign-up.ts';
import { inTurn } from './identity/load.ts';
import { createLeadsDatabase } from './leads-database.ts';
import { createPeerDatabase } from './peer-database.ts';
import { startProgram, type Program } from './program.ts';

const rounds = sized(7, 1);
const seconds = sized(3, 0.5);
const callers = 32;
const organizations = sized(1_000, 8);
const leadsEach = 20;
const goal = 5;
const unlimited = '1000000000';

/** Somebody with an organization of their own, and the headers by which a server knows them. */
interface Member {
  readonly organizationId: string;
  readonly headers: Readonly<Record<string, string>>;
}

const leads = await createLeadsDatabase();
const peerDatabase = await createPeerDatabase();
const INTERNAL_API_KEY = randomBytes(48).toString('base64');
const auth = await startAuthService({ BCRYPT_COST: '10', INTERNAL_API_KEY });
const programs: Program[] = [];

try {
  const service = await startProgram({
    file: '../../apps/leads-service/src/main.ts',
    env: {
      DATABASE_URL: leads.runtimeUrl,
      AUTH_URL: `${auth.url}/api/auth`,
      AUTH_REVOCATIONS_URL: `${auth.url}/internal/revocations`,
      AUTH_INTERNAL_URL: auth.url,
      INTERNAL_API_KEY,
    },
  });
  const gateway = await startProgram({
    file: '../../apps/gateway/src/main.ts',
    env: {
      ROUTES: `/api/auth=${auth.url},/api/leads=${service.url}`,
      FRONTEND_URL: 'https://app.example.com',
      RATE_LIMIT_PER_MINUTE: unlimited,
    },
  });
  const glued = await startProgram({
    file: './glued/server.ts',
    args: [leads.adminUrl, peerDatabase.url],
    readyPath: '/ready',
  });
  programs.push(gateway, service, glued);

  const ours = await many(async () => memberOf((await signUp(auth)).token));
  const theirs = await many(() => signUpAtPeer(glued.url));
  for (const { organizationId } of [...ours, ...theirs]) await leads.fill(organizationId, leadsEach);
  await leads.settle();
  await requireSameAnswer(gateway.url, ours[0], glued.url, theirs[0]);

  const asking = (members: readonly Member[]) =>
    inTurn(callers, members, ({ headers }) => ({ method: 'GET', path: '/api/leads', headers }));
  const sides: [Side, Side] = [
    {
      name: 'gateway and leads-service',
      url: gateway.url,
      pids: [gateway.pid, service.pid],
      startMs: [gateway.startMs, service.startMs],
      callers: asking(ours),
    },
    {
      name: 'Better Auth and Prisma in one Fastify process',
      url: glued.url,
      pids: [glued.pid],
      startMs: [glued.startMs],
      callers: asking(theirs),
    },
  ];
  const { byRequests, byProcessor } = await contest(...sides, { rounds, seconds });
  for (const [what, ratios] of [
    ['by requests', byRequests],
    ['by processor time', byProcessor],
  ] as const) {
    report({
      what: `${what}: ratio, ${organizations.toLocaleString('en')} organizations in turn`,
      value: spread(ratios),
      goal: String(goal),
      reached: decided(ratios, median(ratios) >= goal),
    });
  }
} finally {
  await Promise.all(programs.map(({ stop }) => stop()));
  await auth.stop();
  await peerDatabase.drop();
  await leads.drop();
}
process.exit();

async function many(make: () => Promise<Member>): Promise<Member[]> {
  const made: Member[] = [];
  const atOnce = 4;
  const makeSome = async (): Promise<void> => {
    for (let n = 0; n < organizations / atOnce; n++) made.push(await make());
  };
  await Promise.all(Array.from({ length: atOnce }, makeSome));
  return made;
}

function memberOf(token: string): Member {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  const { organizationId } = JSON.parse(payload) as { organizationId: string };
  return { organizationId, headers: { authorization: `Bearer ${token}` } };
}

/** Alike but for ids, times and the order of fields. */
async function requireSameAnswer(
  ourUrl: string,
  our: Member | undefined,
  theirUrl: string,
  their: Member | undefined,
): Promise<void> {
  const answerOf = async (url: string, headers: Member['headers'] = {}) => {
    const text = await (await fetch(`${url}/api/leads`, { headers })).text();
    return JSON.parse(text.replaceAll(/"(id|createdAt)":"[^"]*"/g, '"$1":""')) as unknown;
  };
  deepEqual(await answerOf(theirUrl, their?.headers), await answerOf(ourUrl, our?.headers));
}
