import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '@tenantry/dev-database';
import type { NewServiceNames } from './names.ts';

/** The files by which a folder is a service of the workspace, by their path in it. */
export async function workspaceFiles(root: string, names: NewServiceNames): Promise<Record<string, string>> {
  const configurations = ['tsconfig.json', 'vitest.config.mjs'].map(
    async (name) => [name, await readFile(join(root, 'apps/leads-service', name), 'utf8')] as const,
  );
  return {
    ...Object.fromEntries(await Promise.all(configurations)),
    'package.json': json(await packageJson(root, names)),
    'tsconfig.build.json': json({
      extends: '../../tsconfig.base.json',
      compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/tsconfig.tsbuildinfo' },
      include: ['src/**/*.ts'],
      references: built.map(reference),
      nx: { sync: { ignoredDependencies: ['@tenantry/service-tests'] } },
    }),
    'tsconfig.spec.json': json({
      extends: '../../tsconfig.base.json',
      compilerOptions: {
        outDir: '.nx-types',
        tsBuildInfoFile: '.nx-types/spec.tsbuildinfo',
        emitDeclarationOnly: true,
        rewriteRelativeImportExtensions: false,
        allowImportingTsExtensions: true,
      },
      include: ['test/**/*.ts'],
      references: [{ path: './tsconfig.build.json' }, reference('service-tests')],
    }),
  };
}

const built = ['tenancy', 'service-kit', 'envelope', 'business-service'];
const reference = (library: string) => ({ path: `../../libs/${library}/tsconfig.build.json` });
const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;

/** The versions are those of leads-service: one of each in the workspace. */
async function packageJson(root: string, { service, port, prefix }: NewServiceNames): Promise<object> {
  const { dependencies } = JSON.parse(
    await readFile(join(root, 'apps/leads-service/package.json'), 'utf8'),
  ) as {
    dependencies: Record<string, string>;
  };
  const ours = built.map((library) => [`@tenantry/${library}`, '*'] as const);
  const others = ['@prisma/client', 'typebox'].map((name) => [name, dependencies[name] ?? '*'] as const);
  return {
    name: `@tenantry/${service}`,
    version: '0.1.0',
    private: true,
    type: 'module',
    nx: { tags: ['kind:service'], targets: { 'prisma:generate': {} } },
    tenantry: { port, prefix },
    dependencies: Object.fromEntries([...ours, ...others].sort(([one], [other]) => one.localeCompare(other))),
    devDependencies: { '@tenantry/service-tests': '*' },
  };
}

/** Makes the service known where the workspace lists its services. */
export async function enlist(root: string, { service, plural }: NewServiceNames): Promise<void> {
  await edit(root, 'tsconfig.json', (text) => {
    const configuration = JSON.parse(text) as { references: { path: string }[] };
    configuration.references.push({ path: `./apps/${service}` });
    return json(configuration);
  });
  await edit(root, 'libs/jwt-verify/src/permissions.ts', (text) =>
    text.replace('const member = [\n', `const member = [\n  '${plural}:read',\n  '${plural}:write',\n`),
  );
  await edit(root, 'infra/postgres/provision.sh', (text) =>
    text.replace(/(TENANTRY_SERVICES:=[^}]*)\}/, `$1 ${service}}`),
  );
}

async function edit(root: string, path: string, change: (text: string) => string): Promise<void> {
  const file = join(root, path);
  const text = await readFile(file, 'utf8');
  const changed = change(text);
  if (changed === text)
    throw new ExplainedError(`${path} does not look as expected: add the service by hand.`);
  await writeFile(file, changed);
}
