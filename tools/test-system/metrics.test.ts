import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, workspaceRoot, type Postgres } from '@tenantry/dev-database';
import { canarySecret, testLog } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, newTenant, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';
import {
  askedFor,
  labelsIn,
  readObservability,
  samplesIn,
  selectorsIn,
} from '../test/support/observability.ts';

// The five services as processes of their own, each with its metrics, and what is asked of them.

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0;
if (!hasPrometheus) {
  process.stderr.write(
    '\nNo prometheus is here: what rules and panels ask is compared with what services expose.\n',
  );
}

describe('what Prometheus reads of the running services', () => {
  const services = [
    'gateway',
    'auth-service',
    'leads-service',
    'users-service',
    'quotation-service',
  ] as const;
  const instances: Instance[] = [];
  const metricsPorts = new Map<string, number>();
  let directory: string;
  let postgres: Postgres;
  let gateway: string;
  let ada: Tenant;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-metrics-'));
    postgres = await startTemporaryPostgres();
    const ports = new Map<string, number>();
    for (const name of services) {
      ports.set(name, await freePort());
      metricsPorts.set(name, await freePort());
    }
    const address = (name: (typeof services)[number]) => `http://127.0.0.1:${ports.get(name) ?? 0}`;
    gateway = address('gateway');
    const verifying = {
      AUTH_URL: `${gateway}/api/auth`,
      AUTH_JWKS_URL: `${address('auth-service')}/api/auth/jwks`,
      AUTH_REVOCATIONS_URL: `${address('auth-service')}/internal/revocations`,
    };
    const INTERNAL_API_KEY = canarySecret();
    const peer = { ...verifying, AUTH_INTERNAL_URL: address('auth-service'), INTERNAL_API_KEY };
    const mail = { MAIL_DIRECTORY: join(directory, 'mail') };
    const auth = { AUTH_URL: verifying.AUTH_URL, AUTH_SECRET: canarySecret(), BCRYPT_COST: '4' };
    const prefixes = { auth: 'auth-service', leads: 'leads-service', users: 'users-service' } as const;
    const routes = Object.entries({ ...prefixes, quotation: 'quotation-service' as const });
    const environments: Record<(typeof services)[number], Record<string, string>> = {
      'auth-service': { ...auth, ...mail, INTERNAL_API_KEY },
      'leads-service': peer,
      'users-service': peer,
      'quotation-service': { ...peer, ...mail, LEADS_URL: address('leads-service') },
      gateway: { ROUTES: routes.map(([prefix, name]) => `/api/${prefix}=${address(name)}`).join() },
    };
    for (const [name, environment] of Object.entries(environments)) {
      const database: Record<string, string> = {};
      if (name !== 'gateway') database['DATABASE_URL'] = await migratedDatabase(postgres, name);
      // No replica: one that is passed over is measured as well.
      if (name === 'leads-service') database['DATABASE_REPLICA_URL'] = database['DATABASE_URL'] ?? '';
      const listening = { PORT: String(ports.get(name)), METRICS_PORT: String(metricsPorts.get(name)) };
      instances.push(await startInstance(name, { ...environment, ...database, ...listening }));
    }
    ada = await newTenant(gateway, 'Ada');
    await work();
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** A few requests to every service. */
  async function work(): Promise<void> {
    const { token } = ada;
    const body = { name: 'Charles', email: `${randomUUID()}@example.com` };
    expect((await call(gateway, 'POST /api/leads', { token, body })).status).toBe(201);
    for (const path of ['/api/leads', '/api/users', '/api/quotation/quotes', '/api/auth/start'] as const)
      expect((await call(gateway, `GET ${path}`, { token })).status, path).toBe(200);
  }

  async function scrape(): Promise<string> {
    const log = testLog();
    const texts = [...metricsPorts.values()].map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      const text = await answer.text();
      // Searched for secrets with the log lines of the run.
      log.write(text);
      return text;
    });
    return (await Promise.all(texts)).join('\n');
  }

  it('has every series that a rule or a panel asks for', async () => {
    const samples = samplesIn(await scrape());
    const { rules, panels } = await readObservability();
    const recorded = new Set(rules.map(({ record }) => record));
    const asked = askedFor({ rules, panels }).flatMap(({ expr }) => selectorsIn(expr));
    // Whether a status was answered, or a target is up, is not for a service to say beforehand.
    const own = asked.filter(({ name }) => !recorded.has(name) && name !== 'up');
    const known = (labels: Readonly<Record<string, string>>) => Object.keys(labels);

    expect(own.length).toBeGreaterThan(30);
    for (const { name, labels } of own) {
      const named = samples.filter((sample) => sample.name === name);
      expect(named.length, name).toBeGreaterThan(0);
      for (const [label, value] of labels) {
        expect(known(named[0]?.labels ?? {}), `${name} by ${label}`).toContain(label);
        if (value !== undefined && label !== 'status')
          expect(
            named.map((sample) => sample.labels[label]),
            `${name}{${label}}`,
          ).toContain(value);
      }
    }
  });

  it('has no label that a client has made up, and names no user [S-179]', async () => {
    const before = new Set(labelsIn(await scrape()));
    for (let n = 0; n < 10; n += 1) {
      const marker = `hostile${n}`;
      const headers = {
        'x-request-id': marker,
        'user-agent': marker,
        'x-forwarded-for': marker,
        cookie: `a=${marker}`,
      };
      const paths = [
        `/${marker}`,
        `/api/leads/${marker}`,
        `/api/leads?status=${marker}`,
        `/api/${marker}/%2e%2e`,
      ];
      for (const path of paths) await fetch(`${gateway}${path}`, { headers });
      await fetch(`${gateway}/api/leads/${marker}`, { method: 'PROPFIND', headers }).catch(() => undefined);
      await fetch(`${gateway}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `${marker}@example.com`, password: marker }),
      });
    }
    const text = await scrape();
    expect(text).not.toContain('hostile');
    for (const known of [ada.email, ada.organizationId, ada.token]) expect(text).not.toContain(known);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/);
    const made = labelsIn(text).filter(
      (label) => !before.has(label) && !/^(le|status|method|statement|route)=/.test(label),
    );
    expect(made).toEqual([]);
    const routes = labelsIn(text).filter((label) => label.startsWith('route='));
    for (const route of routes) expect(route).toMatch(/^route="(unknown|\*|\/[\w/:.*-]*)"$/);
  });

  it.runIf(hasPrometheus)('answers every rule and every panel', async () => {
    const port = await freePort();
    const targets = [...metricsPorts].map(([name, metricsPort]) => ({
      job_name: name,
      static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }],
    }));
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(workspaceRoot, 'infra/observability/rules.yml')],
      scrape_configs: targets,
    };
    const file = join(directory, 'prometheus.yml');
    // JSON is YAML.
    await writeFile(file, JSON.stringify(config));
    const storage = `--storage.tsdb.path=${join(directory, 'prometheus')}`;
    const args = [`--config.file=${file}`, storage, `--web.listen-address=127.0.0.1:${port}`];
    const prometheus = spawn('prometheus', args, { stdio: 'ignore' });
    onTestFinished(() => void prometheus.kill('SIGKILL'));

    const query = async (expr: string): Promise<readonly unknown[]> => {
      const url = new URL(`http://127.0.0.1:${port}/api/v1/query`);
      url.searchParams.set('query', expr);
      const answer = await fetch(url).catch(() => undefined);
      if (!answer?.ok) return [];
      return ((await answer.json()) as { data: { result: readonly unknown[] } }).data.result;
    };
    await eventually(async () => expect(await query('up == 1')).toHaveLength(services.length));
    const { rules, panels } = await readObservability();
    await work();
    for (const { title, expr } of askedFor({ rules, panels })) {
      await eventually(async () => {
        await work();
        expect((await query(expr)).length, `${title}: ${expr}`).toBeGreaterThan(0);
      });
    }
    expect(await query('ALERTS{alertstate="firing"}')).toEqual([]);
  });
});
