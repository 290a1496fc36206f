export { backoffMs } from './backoff.ts';
export { callOutside, callService } from './calls.ts';
export type { CallOutside } from './calls.ts';
export { withinMs } from './within-ms.ts';
