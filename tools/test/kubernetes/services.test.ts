import { createService, stopSecondsMax } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { readConfig } from '@tenantry/service/settings';
import { testLog } from '@tenantry/test-kit';
import type { TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/configuration/schema.ts';
import {
  find,
  services,
  sharedSettings,
  podOf,
  containerOf,
  portsOf,
  environmentOf,
} from '../support/kubernetes/workloads.ts';

describe.each(services)('on Kubernetes $name', (service) => {
  const { name, port, prefix } = service;

  it('has all of its objects, and its own image', () => {
    for (const kind of ['Deployment', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget']) {
      expect(() => find(kind, name)).not.toThrow();
    }
    expect(containerOf(name).image).toBe(`tenantry/${name}`);
  });

  it('is given every setting that it needs in production, and none that it does not read', async () => {
    const schema = (await readSettings(service)) as unknown as TObject;
    const own = environmentOf(containerOf(name));
    const settings = { NODE_ENV: 'production', HOST: '0.0.0.0', ...sharedSettings, ...own };
    expect(() => readConfig(name, schema, settings)).not.toThrow();
    // A password is there to be written into an address.
    const unread = Object.keys(own).filter(
      (setting) => !(setting in schema.properties) && !setting.endsWith('_PASSWORD'),
    );
    expect(unread).toEqual([]);
    const secrets = containerOf(name).env.filter(({ valueFrom }) => valueFrom);
    expect(secrets.map((variable) => variable.name)).toEqual(expect.arrayContaining([...service.secrets]));
  });

  it('listens where its ports say', () => {
    const own = environmentOf(containerOf(name));
    const internal = own['INTERNAL_PORT'] ? { internal: Number(own['INTERNAL_PORT']) } : {};
    expect(portsOf(name)).toEqual({
      http: port,
      metrics: Number(sharedSettings['METRICS_PORT']),
      ...internal,
    });
    const { spec } = find('Service', name) as unknown as { spec: { ports: unknown[] } };
    expect(spec.ports).toEqual(
      Object.entries({ http: port, ...internal }).map(([role, number]) => ({
        name: role,
        port: number,
        targetPort: role,
      })),
    );
  });

  it('is replaced and moved without a moment without it, and finishes what it answers', () => {
    expect(find('Deployment', name)).toMatchObject({
      spec: { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } },
    });
    const { spec } = find('HorizontalPodAutoscaler', name) as unknown as { spec: { minReplicas: number } };
    expect(spec.minReplicas).toBeGreaterThanOrEqual(2);
    expect(spec).toMatchObject({ scaleTargetRef: { kind: 'Deployment', name } });
    expect(find('PodDisruptionBudget', name)).toMatchObject({
      spec: { maxUnavailable: 1, selector: { matchLabels: podSelectorOf(name) } },
    });
    const pod = podOf('Deployment', name).spec;
    const grace = Number(sharedSettings['SHUTDOWN_GRACE_SECONDS']);
    expect(grace).toBeGreaterThanOrEqual(1);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(grace + stopSecondsMax);
    expect(pod.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
    ]);
  });

  it('is asked for its health where it answers', async () => {
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(name);
    const logger = createLogger({ name, level: 'info', destination: testLog() });
    const app = await createService({ name, version: '1.0.0', logger, failures: 'envelope' });
    for (const { httpGet, timeoutSeconds } of [startupProbe, livenessProbe, readinessProbe]) {
      expect([httpGet.path, (await app.inject(httpGet.path)).statusCode]).toEqual([httpGet.path, 200]);
      expect(httpGet.port).toBe('http');
      // The checks behind an answer give up after two seconds.
      expect(timeoutSeconds).toBeGreaterThan(2);
    }
    app.drain();
    expect((await app.inject(readinessProbe.httpGet.path)).statusCode).toBe(503);
    for (const { httpGet } of [startupProbe, livenessProbe]) {
      expect((await app.inject(httpGet.path)).statusCode).toBe(200);
    }
    await app.close();
  });

  it('is reached through the gateway alone', () => {
    const routes = environmentOf(containerOf('gateway'))['ROUTES']?.split(/, ?/);
    if (prefix !== undefined) expect(routes).toContain(`${prefix}=http://${name}:${port}`);
  });
});

const podSelectorOf = (name: string) => ({ 'app.kubernetes.io/name': name });

it('the settings that all services share are read by one of them at least, and lead to ports that are open', async () => {
  const schemas = await Promise.all(services.map(readSettings));
  const unread = Object.keys(sharedSettings).filter((name) =>
    schemas.every((schema) => !(name in schema.properties)),
  );
  expect(unread).toEqual([]);
  for (const value of Object.values(sharedSettings)) {
    const [, name = '', port] = /^http:\/\/([\w-]+):(\d+)/.exec(value) ?? [];
    if (name) expect(Object.values(portsOf(name)), value).toContain(Number(port));
  }
  const internal = portsOf('auth-service')['internal'];
  expect(sharedSettings['AUTH_REVOCATIONS_URL']).toBe(`http://auth-service:${internal}/internal/revocations`);
  expect(sharedSettings['AUTH_INTERNAL_URL']).toBe(`http://auth-service:${internal}`);
});
