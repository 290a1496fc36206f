import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { problemsOf, provingTests, readGuarantees } from './guarantees.ts';

/** Prints each guarantee of docs/security.md with its tests, or those that the arguments name. */
const asked = process.argv.slice(2);
const guarantees = readGuarantees(readFileSync(join(workspaceRoot, 'docs/security.md'), 'utf8'));
const tests = provingTests(workspaceRoot);

for (const { id, statement } of guarantees) {
  if (asked.length > 0 && !asked.includes(id)) continue;
  const proofs = tests.filter(({ ids }) => ids.includes(id));
  console.log([`${id} ${statement}`, ...proofs.map(({ file, title }) => `  ${file}: ${title}`)].join('\n'));
}
const problems = [
  ...problemsOf(guarantees, tests),
  ...asked
    .filter((id) => !guarantees.some((guarantee) => guarantee.id === id))
    .map((id) => `docs/security.md has no ${id}.`),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
