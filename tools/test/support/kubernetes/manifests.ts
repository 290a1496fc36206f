import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { workspaceRoot } from '@tenantry/dev-database';
import { parse, parseAllDocuments } from 'yaml';

/** A Kubernetes object, as far as every one of them is alike. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

interface Kustomization {
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly patches?: readonly { readonly path: string; readonly target: { kind: string; name?: string } }[];
  readonly configMapGenerator?: readonly ConfigMapGenerator[];
}
interface ConfigMapGenerator {
  readonly name: string;
  readonly envs?: readonly string[];
  readonly files?: readonly string[];
}

/**
 * Builds a base as kustomize does, as far as the bases in infra/k8s use it: resources, patches by kind and name, one
 * namespace, and ConfigMaps, whose names get no digest.
 */
export function buildBase(folder: string): Manifest[] {
  const read = (file: string) => readFileSync(join(workspaceRoot, folder, file), 'utf8');
  const kustomization = parse(read('kustomization.yaml')) as Kustomization;
  const { resources = [], patches = [], configMapGenerator = [], namespace } = kustomization;
  const manifests = resources.flatMap((resource) =>
    resource.endsWith('.yaml') ? documentsIn(read(resource)) : buildBase(join(folder, resource)),
  );
  const patched = patches.reduce(
    (all, { path, target }) => all.map((each) => patch(each, parse(read(path)) as Manifest, target)),
    manifests,
  );
  const all = [...patched, ...configMapGenerator.map((generator) => configMap(generator, read))];
  return namespace === undefined ? all : all.map((each) => within(namespace, each));
}

/** Every object of a YAML text. */
export const documentsIn = (yaml: string): Manifest[] =>
  parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);

const within = (namespace: string, manifest: Manifest): Manifest =>
  manifest.kind === 'Namespace' ? manifest : { ...manifest, metadata: { ...manifest.metadata, namespace } };

function configMap(
  { name, envs = [], files = [] }: ConfigMapGenerator,
  read: (file: string) => string,
): Manifest {
  const variables = envs.flatMap((file) => Object.entries(parseEnv(read(file))));
  const contents = files.map((file) => {
    const [key = '', path = key] = file.split('=');
    return [key, read(path)];
  });
  const data = Object.fromEntries([...variables, ...contents]) as Record<string, string>;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } as Manifest;
}

function patch(manifest: Manifest, changes: Manifest, target: { kind: string; name?: string }): Manifest {
  const fits = (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`).test(text);
  if (!fits(target.kind, manifest.kind) || !fits(target.name ?? '.*', manifest.metadata.name))
    return manifest;
  return { ...(merged(manifest, changes) as Manifest), metadata: manifest.metadata };
}

interface Named {
  readonly name: string;
}

/** A strategic merge: objects field by field, lists of named items by their names. */
function merged(base: unknown, changes: unknown): unknown {
  if (isNamedList(base) && isNamedList(changes)) {
    const change = (item: Named) => changes.find(({ name }) => name === item.name);
    const added = changes.filter(({ name }) => base.every((item) => item.name !== name));
    return [...added, ...base.map((item) => merged(item, change(item) ?? {}))];
  }
  if (!isObject(base) || !isObject(changes)) return changes;
  const fields = Object.entries(changes).map(([name, value]) => [
    name,
    name in base ? merged(base[name], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(fields) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNamedList = (value: unknown): value is Named[] =>
  Array.isArray(value) && value.every((item) => isObject(item) && 'name' in item);

/** Whether this machine has a kubectl with kustomize 5: since 1.27. */
export function hasKubectl(): boolean {
  try {
    const version = execFileSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' });
    const { clientVersion } = JSON.parse(version) as { clientVersion: { minor: string } };
    return Number.parseInt(clientVersion.minor) >= 27;
  } catch {
    return false;
  }
}

/** What kubectl makes of a kustomization. */
export const buildByKubectl = (folder: string): Manifest[] =>
  documentsIn(
    execFileSync('kubectl', ['kustomize', join(workspaceRoot, folder)], { encoding: 'utf8', stdio: 'pipe' }),
  );
