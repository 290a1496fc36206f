import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import ts from 'typescript';
import type { Manifest } from './manifests.ts';

/** Where the types of a group of kinds are published; what Kubernetes itself brings is in kubernetes-models. */
const packages: Readonly<Record<string, string>> = {
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};
/** The Barman Cloud plugin publishes no types for npm; what its ObjectStore configures is typed with CloudNativePG. */
const objectStore = `{
  apiVersion: 'barmancloud.cnpg.io/v1';
  kind: 'ObjectStore';
  metadata: import('kubernetes-models/v1/Secret').ISecret['metadata'];
  spec: {
    retentionPolicy: \`\${number}d\`;
    configuration: import('@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration').IBarmanObjectStoreConfiguration;
  };
}`.replaceAll('\n', ' ');

/**
 * Compares manifests with the published types of their kinds by tsc, to which each is a literal: a field that a type
 * does not know is a finding, as is one of another type or one that is missing.
 *
 * @returns a sentence for each finding, with the manifest that it is about
 */
export function findingsByType(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map(
    (manifest, i) => `export const m${i}: ${typeOf(manifest)} = ${JSON.stringify(manifest)};`,
  );
  // Beside the packages that it imports; it exists in memory alone.
  const file = join(workspaceRoot, 'tools/manifests.ts');
  const program = compile(file, lines.join('\n'));
  return ts.getPreEmitDiagnostics(program).map(({ file: source, start = 0, messageText }) => {
    const about = manifests[source?.getLineAndCharacterOfPosition(start).line ?? 0];
    return `${about?.kind} ${about?.metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

function typeOf({ apiVersion, kind }: Manifest): string {
  if (kind === 'ObjectStore') return objectStore;
  const [group = ''] = apiVersion.split('/');
  return `import('${packages[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}').I${kind}`;
}

function compile(file: string, text: string): ts.Program {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: [],
    lib: ['lib.es2023.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const own = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023);
  return ts.createProgram([file], options, {
    ...host,
    fileExists: (path) => path === file || host.fileExists(path),
    getSourceFile: (path, ...rest) => (path === file ? own : host.getSourceFile(path, ...rest)),
  });
}
