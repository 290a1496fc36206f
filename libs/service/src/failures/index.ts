export { clientSignal } from './client-gone.ts';
export { refusalIn } from './answers.ts';
export type { FailureFormat } from './answers.ts';
export { reasonsOf, rules } from './vocabulary.ts';
export type { ReasonOf } from './vocabulary.ts';
export { databaseFault, isOverQuota, isUnavailable, isUniqueViolation } from './database-faults.ts';
export { invalidKey } from './invalid-key.ts';
export { databaseRefusals } from './refusals.ts';
export { retryOnContention } from './retry.ts';
