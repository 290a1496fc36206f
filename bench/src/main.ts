/**
 * Runs one bench by name, with the arguments that follow: `npm run bench -- gateway 9 64`. Without a name it lists
 * them. One at a time: two would measure each other.
 */
import { globSync } from 'node:fs';

// However a bench ends its server ends with it, which a container would not.
process.env['TEST_INFRA'] ??= 'embedded';

const names = globSync('*.bench.ts', { cwd: import.meta.dirname }).map((file) =>
  file.replace('.bench.ts', ''),
);
const [name] = process.argv.splice(2, 1);

if (name !== undefined && names.includes(name)) {
  await import(`./${name}.bench.ts`);
} else {
  console.error(`npm run bench -- NAME, one of: ${names.sort().join(', ')}`);
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
