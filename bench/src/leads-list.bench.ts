/**
 * leads-service beside a bare Fastify and `pg` route with the same SQL, in alternating rounds, as ratios:
 *
 *     node --conditions=@tenantry/source bench/src/leads-list.bench.ts
 *
 * Goal: 0.7 or more, with the token verified, the permission checked, row-level security on and the envelope made.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { freePort } from '@tenantry/test-kit';
import { median, requestsPerSecond } from './http-load.ts';
import { createLeadsDatabase } from './leads-database.ts';

const rounds = 7;
const seconds = 3;
const connections = 32;

const organizationId = randomUUID();
const database = await createLeadsDatabase();
const issuer = await createTestIssuer({ server: true });
const children: ChildProcess[] = [];

try {
  await database.fill(organizationId, 20_000);
  await database.settle();
  const bare = await start('./bare-leads.ts', [database.adminUrl, organizationId]);
  const service = await start('../../apps/leads-service/src/main.ts', [], {
    NODE_ENV: 'production',
    DATABASE_URL: database.runtimeUrl,
    AUTH_URL: issuer.issuer,
    ...(issuer.server && { AUTH_REVOCATIONS_URL: issuer.server.revocationsUrl }),
  });
  const headers = { authorization: `Bearer ${await issuer.token({ organizationId })}` };
  const list = (await (await fetch(`${service}/api/leads`, { headers })).json()) as {
    data: { id: string }[];
  };
  const paths = { list: '/api/leads', get: `/api/leads/${list.data[0]?.id ?? ''}` };

  for (const [name, path] of Object.entries(paths)) {
    const ratios: number[] = [];
    const figures: Record<'bare' | 'service', number[]> = { bare: [], service: [] };
    for (let round = -1; round < rounds; round++) {
      const measured = {
        bare: await requestsPerSecond({ url: bare + path, seconds, connections }),
        service: await requestsPerSecond({ url: service + path, headers, seconds, connections }),
      };
      // The first round warms up.
      if (round < 0) continue;
      figures.bare.push(measured.bare);
      figures.service.push(measured.service);
      ratios.push(measured.service / measured.bare);
    }
    console.log(
      `${name.padEnd(5)} bare ${median(figures.bare).toFixed(0)}/s  leads-service ${median(figures.service).toFixed(0)}/s  ` +
        `ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    );
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await issuer.close();
  await database.drop();
}
process.exit();

/** Starts a program on a free port and waits until it answers; what it logs is written, and read by nobody. */
async function start(file: string, args: readonly string[], environment = {}): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    process.execPath,
    ['--conditions=@tenantry/source', fileURLToPath(new URL(file, import.meta.url)), ...args],
    { env: { ...process.env, ...environment, PORT: String(port) }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  children.push(child);
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const answer = await fetch(`${url}/api/health/live`).catch(() => undefined);
    if (answer) return url;
    await setTimeout(100);
  }
  throw new Error(`${file} does not answer`);
}
