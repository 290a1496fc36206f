import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { runLimits } from './vitest.limits.mjs';
import { systemTests } from './vitest.shared.mjs';

/** By project, the tests that take their length from TEST_THOROUGH, by `thorough` of test-kit: they run in full here, and in short in `npm test`. */
const inFull = Object.groupBy(
  globSync('{apps,libs}/*/test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
    /TEST_THOROUGH|\bthorough\b.*test-kit'/.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
  ),
  (file) => file.split('/').slice(0, 2).join('/'),
);

/** What takes long and rarely fails: `npm start` in all its ways, backup and restore, signing keys, PDFs, and properties in full. */
export default defineConfig({
  test: {
    projects: [
      ...[
        'tools',
        'apps/auth-service',
        'apps/quotation-service',
        'libs/dev-database',
        'libs/service-tests',
      ].map((folder) => systemTests(folder, () => ({ include: ['test-long/**/*.test.ts'] }))),
      ...Object.entries(inFull).map(([folder, files]) =>
        systemTests(folder, ({ name }) => ({
          name: `${name} (in full)`,
          include: files.map((file) => file.slice(folder.length + 1)),
          env: { TEST_THOROUGH: '1' },
        })),
      ),
    ],
    ...runLimits,
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
});
