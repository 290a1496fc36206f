import type { FailureKind } from './failure.ts';

/** The outcome of an exchange with a service; `full` if no instance could take it. */
export type Outcome = 'answered' | FailureKind | 'full';

/** Counts of exchanges since the process began. */
export type Outcomes = Record<Outcome, number>;

/** No exchange yet. */
export const noOutcomes = (): Outcomes => ({ answered: 0, unreachable: 0, silent: 0, broken: 0, full: 0 });
