export { refusalIn } from './answers.ts';
export type { FailureFormat } from './answers.ts';
export { reasonsByCode, rules } from './vocabulary.ts';
export type { ReasonOf } from './vocabulary.ts';
export { databaseFault, isUnavailable, isUniqueViolation } from './database-faults.ts';
export { retryOnContention } from './retry.ts';
