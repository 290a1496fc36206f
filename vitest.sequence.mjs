import { BaseSequencer } from 'vitest/node';

/**
 * Begins files by their rank, the lowest first, and those of one rank in the order of Vitest.
 *
 * @param {(file: import('vitest/node').TestSpecification) => number} rank
 */
export const byRank = (rank) =>
  class extends BaseSequencer {
    /** @param {import('vitest/node').TestSpecification[]} files */
    async sort(files) {
      return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
    }
  };
