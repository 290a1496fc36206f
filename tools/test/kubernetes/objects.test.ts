import { describe, expect, it } from 'vitest';
import { buildBase, buildByKubectl, hasKubectl, type Manifest } from '../support/kubernetes/manifests.ts';
import { findingsByType } from '../support/kubernetes/published-types.ts';
import {
  find,
  manifests,
  services,
  workloads,
  containersOf,
  steps,
  type Workload,
} from '../support/kubernetes/workloads.ts';

const kubectl = hasKubectl();
if (!kubectl)
  console.info('No kubectl 1.27 or later on this machine: the overlay in infra/k8s is not built.');
const overlay = kubectl
  ? steps.flatMap((step) => buildByKubectl(`infra/k8s/overlays/production/${step}`))
  : [];

describe('every manifest of infra/k8s', () => {
  it('is what the published type of its kind says, without a field that it does not know', () => {
    const broken = { ...find('Service', 'redis'), spec: { selectors: {} } } as unknown as Manifest;
    const findings = findingsByType([...manifests, ...overlay, broken]);
    expect(findings).toEqual([expect.stringMatching(/^Service redis: .*"selectors"' does not exist/)]);
  });

  it('holds no secret', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const written = workloads.flatMap(containersOf).flatMap(({ env }) => env);
    const secret = /(PASSWORD|SECRET|KEY)$|^SMTP_URL$/;
    expect(written.filter(({ name, value }) => secret.test(name) && value !== undefined)).toEqual([]);
  });
});

describe.skipIf(!kubectl)('kubectl kustomize', () => {
  it.each(steps)('makes of the base "%s" what is checked above', (step) => {
    // A name ends with a digest of what the ConfigMap holds.
    const plain = (built: readonly Manifest[]) =>
      JSON.parse(
        JSON.stringify(sorted(built)).replaceAll(/"(settings|provisioning)-[0-9a-z]{8,10}"/g, '"$1"'),
      ) as unknown;
    const sorted = (built: readonly Manifest[]) =>
      built.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
    const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
    expect(plain(buildByKubectl(`infra/k8s/base/${step}`))).toEqual(
      plain(buildBase(`infra/k8s/base/${step}`)),
    );
  });

  it('builds the overlay, with an image of one version for every program', () => {
    expect(overlay.length).toBe(manifests.length);
    const programs = [...services.map(({ name }) => name), 'migrate'];
    const images = (overlay as Workload[])
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .flatMap(containersOf)
      .map(({ image }) => image)
      .filter((image) => image.includes('/'));
    expect(images.sort()).toEqual(
      programs.map((name) => `registry.example.com/tenantry/${name}:0.1.0`).sort(),
    );
  });
});
