export { backoffMs } from './backoff.ts';
export { callOutside, callService } from './calls.ts';
export type { CallOutside } from './calls.ts';
export { readTexts, UnreadableNameError } from './read-texts.ts';
export { withinMs } from './within-ms.ts';
