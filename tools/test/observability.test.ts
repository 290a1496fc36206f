import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { discoverServices } from '../src/services.ts';
import { askedFor, readObservability, readObservabilityFile, selectorsIn } from './support/observability.ts';

const { rules, panels } = await readObservability();
const operations = await readFile(join(workspaceRoot, 'docs/operations.md'), 'utf8');
const namesIn = (text: string) => [...new Set(text.match(/\btenantry_[a-z_]+\b/g))].sort();

/** The metrics that the source names; what a running service exposes is for the tests of the whole system to say. */
const measured = namesIn(
  globSync('{apps,libs}/*/src/**/*.ts', { cwd: workspaceRoot })
    .filter((path) => !path.includes('generated'))
    .flatMap(
      (path) => readFileSync(join(workspaceRoot, path), 'utf8').match(/^\s+name: 'tenantry_[a-z_]+'/gm) ?? [],
    )
    .join(' '),
);

it('every rule and every panel asks for metrics that services have or rules record', () => {
  const recorded = rules.map(({ record }) => record);
  const asked = askedFor({ rules, panels }).flatMap(({ expr }) => selectorsIn(expr).map(({ name }) => name));
  const known = (name: string) =>
    recorded.includes(name) ||
    /^(up$|process_|nodejs_)/.test(name) ||
    measured.includes(name.replace(/_(bucket|sum|count)$/, ''));

  expect(asked.length).toBeGreaterThan(40);
  expect(asked.filter((name) => !known(name))).toEqual([]);
});

it('docs/operations.md names every metric, and no other', () => {
  const [, section = ''] = /^## Metrics\n(.*?)^### /ms.exec(operations) ?? [];
  expect(namesIn(section)).toEqual(measured);
});

it('every metric of a service is shown in a panel', () => {
  const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr)).join(' ');
  const throughRules = 'tenantry_http_request_duration_seconds';
  expect(measured.filter((name) => !shown.includes(name) && name !== throughRules)).toEqual([]);
});

it('every alert says what to do, in a section of docs/operations.md', () => {
  const anchors = [...operations.matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) => `docs/operations.md#${title.toLowerCase().replaceAll(' ', '-')}`,
  );
  const alerts = rules.filter(({ alert }) => alert !== undefined);

  expect(alerts.length).toBeGreaterThan(0);
  for (const { annotations } of alerts) expect(anchors).toContain(annotations?.runbook);
});

it('every alert is tested: that it fires, and that it is silent while all is well', async () => {
  interface AlertTest {
    alertname: string;
    exp_alerts: readonly unknown[];
  }
  const { tests } = parse(await readObservabilityFile('rules.test.yml')) as {
    tests: { alert_rule_test: AlertTest[] }[];
  };
  const all = tests.flatMap(({ alert_rule_test: alertTests }) => alertTests);
  const tested = (fires: boolean) =>
    new Set(
      all
        .filter(({ exp_alerts: expected }) => expected.length > 0 === fires)
        .map(({ alertname }) => alertname),
    );
  const alerts = rules.flatMap(({ alert }) => alert ?? []).sort();

  expect([...tested(true)].sort()).toEqual(alerts);
  expect([...tested(false)].sort()).toEqual(alerts);
});

it('Prometheus reads every service of docker-compose.yml', async () => {
  const { scrape_configs: jobs } = parse(await readObservabilityFile('prometheus.yml')) as {
    scrape_configs: { job_name: string }[];
  };
  const services = discoverServices(workspaceRoot).map(({ name }) => name);
  expect(jobs.map(({ job_name: name }) => name).sort()).toEqual(services.sort());
});
