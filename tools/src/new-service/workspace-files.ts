import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterLast, type Edit } from './edits.ts';
import type { NewServiceNames } from './names.ts';

/** The files by which a folder is a service of the workspace, by their path in it. `nx sync` adds the references. */
export async function workspaceFiles(root: string, names: NewServiceNames): Promise<Record<string, string>> {
  const ofModel = async (name: string) =>
    [name, await readFile(join(root, 'apps/leads-service', name), 'utf8')] as const;
  const same = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.spec.json', 'vitest.config.mjs'];
  return {
    ...Object.fromEntries(await Promise.all(same.map(ofModel))),
    'package.json': json(await packageJson(root, names)),
  };
}

const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;

/** The versions are those of leads-service: one of each in the workspace. */
async function packageJson(root: string, { service, port, prefix }: NewServiceNames): Promise<object> {
  const { dependencies } = JSON.parse(
    await readFile(join(root, 'apps/leads-service/package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> };
  const ours = ['envelope', 'service', 'tenancy'];
  return {
    name: `@tenantry/${service}`,
    version: '0.1.0',
    private: true,
    type: 'module',
    nx: { tags: ['kind:service'], targets: { 'prisma:generate': {} } },
    tenantry: { port, prefix, secrets: ['INTERNAL_API_KEY'] },
    dependencies: {
      '@prisma/client': dependencies['@prisma/client'],
      ...Object.fromEntries(ours.map((library) => [`@tenantry/${library}`, '*'])),
      typebox: dependencies['typebox'],
    },
    devDependencies: { '@tenantry/service-tests': '*' },
  };
}

/** Makes the service known where the workspace lists its services. */
export function workspaceEdits({ service, plural }: NewServiceNames): readonly Edit[] {
  const permissions = `{ member: ['${plural}:read', '${plural}:write'], admin: [], owner: [] }`;
  const line = `- [\`apps/${service}\`](apps/${service}): the ${plural.replaceAll('-', ' ')} of an organization\n`;
  return [
    [
      'libs/contracts/src/services.ts',
      (text) =>
        text.replace(/^} as const satisfies/m, `  '${service}': { permissions: ${permissions} },\n$&`),
    ],
    ['README.md', afterLast(/^- \[`apps\/[\w-]+-service`\].*\n(?: {2}.*\n)*/, line)],
    [
      'docs/architecture.md',
      afterLast(/^ {2}gateway -->\|.*\n/, `  gateway -->|/api/${plural}| ${service}\n`),
    ],
  ];
}
