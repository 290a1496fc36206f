import { afterLast, type Edit } from './edits.ts';
import type { NewServiceNames } from './names.ts';

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
    [
      'docs/fair-shares.md',
      afterLast(
        /^- `apps\/[\w-]+-service\/src\/.*\n/,
        `- \`apps/${service}/src/sending/sending.errors.ts\`: \`mailsMax\`\n`,
      ),
    ],
  ];
}
