import { describe, expect, it } from 'vitest';
import { connections, type End, type NetworkPolicy } from '../support/kubernetes/network.ts';
import {
  find,
  manifests,
  services,
  workloads,
  containerOf,
  containersOf,
  podOf,
  portsOf,
} from '../support/kubernetes/workloads.ts';

describe('the restricted Pod Security Standard', () => {
  it('is enforced in the namespace', () => {
    const labels = find('Namespace', 'tenantry').metadata.labels;
    expect(labels?.['pod-security.kubernetes.io/enforce']).toBe('restricted');
  });

  it.each(workloads)(
    'is kept by $kind $metadata.name, as by all others, with a read-only root [S-118]',
    (workload) => {
      const pod = workload.spec.template;
      expect(pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          runAsGroup: 65_532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      for (const { securityContext } of containersOf(workload)) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
      // Of a pod's own, and bounded.
      for (const { secret, configMap, emptyDir } of pod.spec.volumes ?? []) {
        expect(secret ?? configMap ?? emptyDir?.sizeLimit).toBeDefined();
      }
      expect(pod.spec).not.toHaveProperty('hostNetwork');
    },
  );
});

describe('the network policies', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy[];
  const own = (
    name: string,
    ports: End['ports'],
    labels = podOf('Deployment', name).metadata.labels,
  ): End => ({
    name,
    labels,
    ports,
  });
  const foreign = (namespace: string, ports: End['ports'] = {}, labels = {}): End => ({
    name: namespace,
    namespace,
    labels,
    ports,
  });
  const postgres = { 'cnpg.io/cluster': 'postgres' };
  const ends = [
    ...services.map(({ name }) => own(name, portsOf(name))),
    own('redis', portsOf('redis')),
    own('migrate', {}, podOf('Job', 'migrate').metadata.labels),
    own('postgres-1', { postgres: 5432, status: 8000, metrics: 9187 }, postgres),
    own('pooler', { pgbouncer: 5432, metrics: 9127 }, postgres),
    own('stranger', { http: 80 }, {}),
    foreign('gateway-system'),
    foreign('monitoring', { otlp: 4318, grafana: 3000 }),
    foreign('cnpg-system'),
    foreign('default'),
    foreign('kube-system', { dns: 53 }, { 'k8s-app': 'kube-dns' }),
    foreign('internet', { https: 443, http: 80, submission: 587, smtps: 465, postgres: 5432 }),
  ];
  const open = connections(policies, ends);
  const inward = open.filter((each) => !/ → (kube-system|internet)/.test(each));

  it('let through what Tenantry is made of, and nothing else [S-118]', () => {
    const business = services.map(({ name }) => name).filter((name) => /-service$/.test(name));
    const verifiers = business.filter((name) => name !== 'auth-service');
    const observed = [...services.map(({ name }) => name), 'postgres-1', 'pooler'];
    expect(inward.sort()).toEqual(
      [
        'gateway-system → gateway:http',
        ...business.map((name) => `gateway → ${name}:http`),
        ...verifiers.flatMap((name) => [`${name} → auth-service:http`, `${name} → auth-service:internal`]),
        'quotation-service → leads-service:http',
        ...['gateway', 'auth-service', 'quotation-service'].map((name) => `${name} → redis:redis`),
        ...[...business, 'migrate'].flatMap((name) => [
          `${name} → postgres-1:postgres`,
          `${name} → pooler:pgbouncer`,
        ]),
        'pooler → postgres-1:postgres',
        'pooler → postgres-1:status',
        'postgres-1 → pooler:pgbouncer',
        'cnpg-system → postgres-1:postgres',
        'cnpg-system → postgres-1:status',
        'cnpg-system → pooler:pgbouncer',
        ...observed.map((name) => `monitoring → ${name}:metrics`),
        ...services.map(({ name }) => `${name} → monitoring:otlp`),
      ].sort(),
    );
  });

  it('let out names to be resolved, mail, and what PostgreSQL archives', () => {
    const mailing = services
      .map(({ name }) => name)
      .filter((name) => containerOf(name).env.some((variable) => variable.name === 'SMTP_URL'));
    expect(mailing).toEqual(expect.arrayContaining(['auth-service', 'quotation-service']));
    const outward = open.filter((each) => / → internet/.test(each));
    expect(outward.sort()).toEqual(
      [
        ...mailing.flatMap((name) => [`${name} → internet:smtps`, `${name} → internet:submission`]),
        ...['postgres-1', 'pooler'].map((name) => `${name} → internet:https`),
      ].sort(),
    );
    for (const { name } of services) expect(open).toContain(`${name} → kube-system:dns`);
  });
});
