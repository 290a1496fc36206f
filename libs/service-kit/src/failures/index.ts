export { refusalIn } from './answers.ts';
export type { FailureFormat, FailureFormatOf } from './answers.ts';
export type { Refusal } from '@tenantry/envelope';
export { reasonsByCode, rules } from './vocabulary.ts';
export type { ReasonOf } from './vocabulary.ts';
export { databaseFault, isUnavailable, isUniqueViolation } from './database-faults.ts';
export type { DatabaseFault } from './database-faults.ts';
export { retryOnContention } from './retry.ts';
export type { RetryOptions } from './retry.ts';
