/**
 * Better Auth as its documentation sets it up for production: PostgreSQL through its own Kysely adapter, its schema and
 * indexes by its own migrations, scrypt by default. Its rate limit is off, as ours is lifted: all load comes from one
 * address. Started by identity.bench.ts, in one of three variants:
 *
 * - `as documented`: with it, the JWT plugin signs a token at every reading of the session.
 * - `unsigned reads`: without that.
 * - `tuned`: besides, the session is kept in a cookie for five minutes, in which it cannot be revoked, and tables are joined.
 */
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt, organization } from 'better-auth/plugins';
import pg from 'pg';

const [connectionString, baseURL, secret, variant] = process.argv.slice(2);
if (connectionString === undefined || baseURL === undefined || secret === undefined) {
  throw new Error('better-auth.ts DATABASE_URL BASE_URL SECRET VARIANT');
}
const tuned = variant === 'tuned';

const options = {
  baseURL,
  secret,
  // As many connections as auth-service has.
  database: new pg.Pool({ connectionString, max: 10 }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  plugins: [organization(), jwt({ disableSettingJwtHeader: variant !== 'as documented' })],
  ...(tuned
    ? { session: { cookieCache: { enabled: true, maxAge: 300 } }, advanced: { database: { joins: true } } }
    : {}),
};
const { runMigrations } = await getMigrations(options);
await runMigrations();

const handle = toNodeHandler(betterAuth(options));
createServer((request, response) => void handle(request, response)).listen(
  Number(new URL(baseURL).port),
  '127.0.0.1',
);
