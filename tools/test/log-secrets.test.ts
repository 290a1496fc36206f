import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createService } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { canary, canarySecret, logMetrics, startTraceCollector, testLog } from '@tenantry/test-kit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkLogs } from '../src/test/log-check.ts';
import { secretsIn, withoutSecrets } from '../src/test/log-secrets.ts';

const logDirectory = process.env['TEST_LOG_DIRECTORY'] ?? '';
const random = (bytes: number) => randomBytes(bytes).toString('base64url');
const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const bcryptHash = `$2b$12$${'./Ab9'.repeat(10)}xyz`;

/** One secret of each kind, in a text such as would carry it, and the part of it that must not be shown again. */
const planted: readonly [kind: string, text: string, secret: string][] = [
  ['password or secret of a test', `no user has correct horse ${canary}`, canary],
  ...plantedAs('password or secret of a test', canarySecret(), (secret) => `bad key ${secret}`),
  ...plantedAs('access token', `${part({ alg: 'ES256' })}.${part({ sub: 'ada' })}.${random(64)}`),
  ...plantedAs('refresh token', `trt_${random(68)}`),
  ...plantedAs('challenge token', `tct_${random(64)}`),
  ...plantedAs('invitation token', `tri_${random(64)}`, (token) => `/api/auth/invitations/${token}/accept`),
  ...['tsf_', 'tst_'].flatMap((prefix) => plantedAs('ticket or state', prefix + random(32))),
  ...['trr_', 'trv_', 'tre_', 'trm_'].flatMap((prefix) => plantedAs('mailed token', prefix + random(64))),
  ...plantedAs('cookie value', random(32), (value) => `a=b; __Host-csrf=${value}; Path=/`),
  ...plantedAs('cookie value', random(16), (value) => `__Secure-device=${value}`),
  ...plantedAs('Authorization header', random(24), (key) => `Bearer ${key}`),
  ...plantedAs(
    'address with a password',
    'hunter2',
    (secret) => `postgres://tenantry:${secret}@db:5432/leads`,
  ),
  ...plantedAs('address with a password', 'hunter2', (secret) => `rediss://:${secret}@cache`),
  ...plantedAs('secret in a query', 'hunter2', (secret) => `/reset?page=1&token=${secret}`),
  ...plantedAs('otpauth URI', 'otpauth://totp/Tenantry:ada?secret=JBSWY3DP'),
  ...plantedAs('TOTP secret', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
  ...plantedAs('backup code', '0A1B2C-3D4E5F-6G7H8J-9KMNPQ'),
  ...plantedAs('private key in PEM', pem.split('\n')[1] ?? '', () => pem),
  ...plantedAs('private key as a JWK', privateKey.export({ format: 'jwk' }).d ?? '', () =>
    JSON.stringify(privateKey.export({ format: 'jwk' })),
  ),
  ...plantedAs('bcrypt hash', bcryptHash),
  ...['password', 'newPassword', 'authorization', 'set-cookie', 'refreshToken'].flatMap((field) =>
    plantedAs('field that holds a secret', 'hunter2', (secret) => JSON.stringify({ [field]: secret })),
  ),
];

function plantedAs(
  kind: string,
  secret: string,
  text = (value: string) => value,
): [string, string, string][] {
  return [[kind, text(secret), secret]];
}

const line = (fields: object) =>
  JSON.stringify({ level: 'info', time: '2026-01-01T00:00:00.000Z', service: 'leads-service', ...fields });

/** A line of what Prometheus reads, in its text format. */
const metric = (label: string) =>
  `tenantry_letters_total{kind="${label.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')}"} 1`;

describe('a secret in a log line or in a metric', () => {
  it.each(planted)('is found and cut out: %s [S-178]', (kind, text, secret) => {
    for (const logged of [
      text,
      line({ msg: text }),
      line({ err: { message: text, stack: [] } }),
      metric(text),
    ]) {
      expect(secretsIn(logged)).toContain(kind);
      expect(withoutSecrets(logged)).not.toContain(secret);
      expect(secretsIn(withoutSecrets(logged))).toEqual([]);
    }
  });

  it('is found as a field of its own, quoted once or twice', () => {
    const fields = { body: { password: 'hunter2' } };
    for (const logged of [line(fields), line({ msg: line(fields) })]) {
      expect(secretsIn(logged)).toEqual(['field that holds a secret']);
      expect(withoutSecrets(logged)).not.toContain('hunter2');
    }
  });

  it.each([
    ['a request', { requestId: randomUUID(), method: 'GET', path: `/api/leads/${randomUUID()}`, ip: '::1' }],
    ['a request id of a client', { requestId: 'AbCdEf0123456789.-_'.repeat(3) }],
    ['a stack', { err: { stack: ['at sign (file:///srv/app:1/node_modules/@scope/jose/sign.js:12:3)'] } }],
    ['a digest', { migration: '20260101000000_init', digest: randomBytes(32).toString('hex') }],
    ['a digest in capitals', { digest: randomBytes(16).toString('hex').toUpperCase() }],
    [
      'an address without a password',
      { url: 'postgres://tenantry@127.0.0.1:5432/leads', mail: 'a@b.example' },
    ],
    ['a challenge to sign in', { header: 'Bearer error="insufficient_user_authentication", max_age="300"' }],
    ['the name of a cookie', { msg: 'cookie __Host-access is missing' }],
    ['an error code', { code: 'INSUFFICIENT_USER_AUTHENTICATION', msg: 'the password is wrong' }],
    ['a name of a signing key', { kid: random(16), alg: 'ES256' }],
    ['the level of a line', { d: 4, password: undefined }],
  ])('is not seen in %s', (_what, fields) => {
    expect(secretsIn(line(fields))).toEqual([]);
  });
});

describe('the search of the logs of a run', () => {
  let results: string;
  const services = [service('leads-service'), service('auth-service')];

  beforeEach(async () => {
    results = await mkdtemp(join(tmpdir(), 'tenantry-logs-'));
  });
  afterEach(async () => {
    await rm(results, { recursive: true });
  });

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(results, path)), { recursive: true });
    await writeFile(join(results, path), text);
  };
  const wereTested = (...projects: string[]) => {
    const testResults = projects.map((project) => ({
      name: `/checkout/${project}/a.test.ts`,
      status: 'passed',
      assertionResults: [],
    }));
    return write('report.json', JSON.stringify({ testResults }));
  };
  const search = async () => {
    const said: string[] = [];
    const context = { results, services, workspaceRoot: '/checkout' };
    const failures = await checkLogs(context, (text) => said.push(text));
    return { failures, said: said.join('\n') };
  };

  it('names file, line and kind of a secret, and not the secret [S-178]', async () => {
    const token = `trt_${random(68)}`;
    await wereTested('apps/leads-service');
    await write('logs/apps/leads-service/7.log', `${line({ msg: 'ready' })}\n${line({ token })}\n`);
    const { failures, said } = await search();
    expect(failures).toEqual(['secrets in 1 log lines: see above']);
    expect(said).toMatch(/leads-service\/7\.log:2: refresh token: \{"level":"info".*<refresh token>/);
    expect(said).toContain('2 log lines of 1 files were looked at.');
    expect(said).not.toContain(token);
  });

  it('fails for a project whose tests ran and left no line [S-178]', async () => {
    await wereTested(
      'apps/leads-service',
      'apps/auth-service',
      'libs/envelope',
      'tools/test',
      'tools/test-system',
    );
    await write('logs/apps/leads-service/7.log', `${line({ msg: 'ready' })}\n`);
    await write('logs/apps/auth-service/8.log', '');
    expect((await search()).failures).toEqual([
      'apps/auth-service: its tests left no log line, so none was looked at',
      'tools/test-system: its tests left no log line, so none was looked at',
    ]);
  });

  it('asks for no lines of projects that were not tested', async () => {
    await wereTested('apps/leads-service');
    await write('logs/apps/leads-service/7.log', `${line({ msg: 'ready' })}\n`);
    expect((await search()).failures).toEqual([]);
  });

  it('finds what Prometheus would read of a service under test, once it closes [S-178]', async () => {
    process.env['TEST_LOG_DIRECTORY'] = join(results, 'logs/apps/leads-service');
    onTestFinished(() => void (process.env['TEST_LOG_DIRECTORY'] = logDirectory));
    const app = await createService({
      ...{ name: 'leads-service', version: '1.0.0', failures: 'envelope' },
      logger: createLogger({ name: 'leads-service', level: 'info', destination: testLog(logDirectory) }),
    });
    logMetrics(app);
    const read = () => [{ labels: { kind: `reset ${canary}` }, value: 1 }];
    app.measure([{ name: 'tenantry_letters_total', help: 'Letters', type: 'counter', read }]);
    await app.close();
    expect((await search()).failures).toEqual(['secrets in 1 log lines: see above']);
  });

  it('finds what a service under test logs, immediately', async () => {
    const log = testLog(join(results, 'logs/apps/leads-service'));
    const other = testLog(join(results, 'logs/apps/leads-service'));
    log.write(`${line({ msg: 'ready' })}\n`);
    other.write(`${line({ msg: `signed in with ${canary}` })}\n`);
    expect(log.text()).toBe(`${line({ msg: 'ready' })}\n`);
    const { failures, said } = await search();
    expect(failures).toEqual(['secrets in 1 log lines: see above']);
    expect(said).toContain('2 log lines of 1 files');
  });

  it('finds what is exported in a span [S-178]', async () => {
    const collector = await startTraceCollector({
      log: testLog(join(results, 'logs/apps/leads-service')),
    });
    const attributes = [
      { key: 'db.query.text', value: { stringValue: `WHERE token = 'trt_${random(68)}'` } },
    ];
    await fetch(`${collector.endpoint}/v1/traces`, {
      method: 'POST',
      body: JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans: [] }] }),
    });
    await collector.close();
    expect((await search()).failures).toEqual(['secrets in 1 log lines: see above']);
  });
});

function service(name: string) {
  return { name, directory: '', port: 1, prefix: `/${name}`, secrets: [], hasDatabase: true };
}
