import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { expect, it } from 'vitest';

/** The names of limits that a file makes; parts of a name that are not fixed are an ellipsis. */
function limitsIn(source: string): string[] {
  const made = source.matchAll(
    /\b(?:limit|limiter|daily|toRecipient)\(\s*(?:\{\s*name:\s*)?(?:'([^']+)'|`([^`]+)`)/g,
  );
  return [...made].map(([, plain, composed = '']) => plain ?? composed.replaceAll(/(\$\{[^}]+\})+/g, '…'));
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
    .map((file) => join(folder, file));

const listed = readFileSync(join(workspaceRoot, 'docs/limits.md'), 'utf8')
  .split('\n- ')
  .slice(1)
  .map((entry) => ({
    name: /^`([^`]+)`$/m.exec(entry)?.[1],
    told: [...entry.matchAll(/^ {2}- (counts by|filled by|stops): \S/gm)].map(([, what]) => what),
  }));

it('docs/limits.md says of each limit in the code by what it counts, who fills it and whom it stops [S-23]', () => {
  const apps = join(workspaceRoot, 'apps');
  const sources = readdirSync(apps).flatMap((app) => filesUnder(join(apps, app, 'src')));
  const made = sources.flatMap((file) => limitsIn(readFileSync(file, 'utf8')));
  expect(made.length).toBeGreaterThan(40);
  expect(listed.map(({ name }) => name).toSorted()).toEqual([...new Set(made)].toSorted());
  for (const { name, told } of listed) expect(told, name).toEqual(['counts by', 'filled by', 'stops']);
});

it('a new limit is found', () => {
  const source = `
    const seats = limit('seats', 'seats taken', [4, minute]);
    this.#rooms = rateLimits.limiter({ name: 'rooms', counted: 'rooms', windows });
    const letters = [toRecipient(\`post-\${kind}\${change}\`, 3), ...daily('post-user', userId, { max: 3 })];`;
  expect(limitsIn(source)).toEqual(['seats', 'rooms', 'post-…', 'post-user']);
});
