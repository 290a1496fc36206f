import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collectDefaultMetrics } from '@prometheus-io/client';
import { workspaceRoot } from '@tenantry/dev-database';
import { createLogger, createService } from '@tenantry/service-kit';
import { testLog } from '@tenantry/test-kit';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { discoverServices } from '../src/services.ts';

interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  annotations?: { runbook: string };
}

const read = (path: string) => readFile(join(workspaceRoot, path), 'utf8');
const folder = 'infra/observability';
const { groups } = parse(await read(`${folder}/rules.yml`)) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(await read(`${folder}/dashboard.json`)) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

/** Names that a service with a database exposes, of histograms with their endings. */
async function exposedNames(): Promise<Set<string>> {
  const app = await createService({
    name: 'observed-service',
    version: '1.0.0',
    logger: createLogger({ name: 'observed-service', level: 'info', destination: testLog() }),
    failures: 'envelope',
    pool: { totalCount: 1, idleCount: 1, waitingCount: 0 },
  });
  collectDefaultMetrics({ register: app.metrics });
  const text = await app.metrics.metrics();
  await app.close();
  const typed = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)];
  return new Set(
    typed.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name],
    ),
  );
}

const namesIn = (expr: string) => expr.match(/\b(?:job:)?(?:tenantry|process|nodejs)_[\w:]+/g) ?? [];

it('every rule and every panel asks for metrics that services expose or rules record', async () => {
  const known = await exposedNames();
  for (const { record } of rules) if (record !== undefined) known.add(record);
  const asked = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];

  expect(asked.flatMap(namesIn).length).toBeGreaterThan(20);
  expect(asked.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
});

it('every alert says what to do, in a section of docs/operations.md', async () => {
  const titles = [...(await read('docs/operations.md')).matchAll(/^#+ (.+)$/gm)];
  const anchors = titles.map(
    ([, title = '']) => `docs/operations.md#${title.toLowerCase().replaceAll(' ', '-')}`,
  );
  const alerts = rules.filter(({ alert }) => alert !== undefined);

  expect(alerts.length).toBeGreaterThan(0);
  for (const { annotations } of alerts) expect(anchors).toContain(annotations?.runbook);
});

it('Prometheus reads every service of docker-compose.yml', async () => {
  const { scrape_configs: jobs } = parse(await read(`${folder}/prometheus.yml`)) as {
    scrape_configs: { job_name: string }[];
  };
  const services = discoverServices(workspaceRoot).map(({ name }) => name);
  expect(jobs.map(({ job_name: name }) => name).sort()).toEqual(services.sort());
});
