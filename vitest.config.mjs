import { defineConfig } from 'vitest/config';
import { LongestFirst } from './vitest.shared.mjs';

/** The tests of all projects in one run: a worker that is done with one project goes on with the next. */
export default defineConfig({
  test: {
    projects: [
      '{apps,libs}/*/vitest.config.mjs',
      '!libs/jwt-verify/vitest.config.mjs',
      'libs/jwt-verify/vitest.{node,web}.config.mjs',
      '{bench,tools}/vitest.config.mjs',
    ],
    // One more than there are cores: some tests wait for a clock, and leave theirs idle.
    maxWorkers: 3,
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
    sequence: { sequencer: LongestFirst },
  },
});
