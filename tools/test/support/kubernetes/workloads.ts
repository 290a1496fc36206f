import { workspaceRoot } from '@tenantry/dev-database';
import { discoverServices } from '../../../src/services.ts';
import { buildBase, type Manifest } from './manifests.ts';

/** A variable of a container, given as a value or as a reference to a secret. */
export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds: number;
}
/** A container, as far as ours are alike. */
export interface Container {
  readonly image: string;
  readonly env: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: unknown;
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}
/** The template of a pod. */
export interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly initContainers?: readonly Container[];
    readonly containers: readonly [Container, ...Container[]];
    readonly terminationGracePeriodSeconds: number;
    readonly topologySpreadConstraints: readonly { readonly topologyKey: string }[];
    readonly volumes?: readonly {
      readonly secret?: unknown;
      readonly configMap?: unknown;
      readonly emptyDir?: { readonly sizeLimit?: string };
    }[];
  };
}
/** A Deployment or a Job. */
export type Workload = Manifest & { readonly spec: { readonly template: Pod } };

/** The parts of infra/k8s, in the order in which they are applied. */
export const steps = ['database', 'migrations', 'services'];
/** Every object of the bases. */
export const manifests = steps.flatMap((step) => buildBase(`infra/k8s/base/${step}`));
/** Every service, and those with a database. */
export const services = discoverServices(workspaceRoot);
export const servicesWithDatabase = services.filter(({ hasDatabase }) => hasDatabase);

/** @throws Error naming the object that is missing. */
export function find(kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`infra/k8s/base has no ${kind} ${name}`);
  return found;
}

/** What all services get as their environment. */
export const sharedSettings = (find('ConfigMap', 'settings') as Manifest & { data: Record<string, string> })
  .data;

/** What runs pods of our own. */
export const workloads = manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)) as Workload[];
export const containersOf = ({ spec }: Workload): Container[] => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
];
export const podOf = (kind: 'Deployment' | 'Job', name: string): Pod =>
  (find(kind, name) as Workload).spec.template;
export const containerOf = (service: string): Container => podOf('Deployment', service).spec.containers[0];
/** The ports of a service's container, by name. */
export const portsOf = (service: string): Record<string, number> =>
  Object.fromEntries((containerOf(service).ports ?? []).map((port) => [port.name, port.containerPort]));

/** The environment of a container: variables written into others, and made-up values in place of secrets. */
export function environmentOf({ env }: Container): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    if (valueFrom?.secretKeyRef.optional) continue;
    const secret = name === 'SMTP_URL' ? 'smtps://user:word@mail.example.com' : '5f2c8a1be07d4396'.repeat(4);
    values[name] = value?.replaceAll(/\$\((\w+)\)/g, (_all, other: string) => values[other] ?? '') ?? secret;
  }
  return values;
}
