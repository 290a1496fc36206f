export { createLogger } from './logging.ts';
export type { Logger } from './logging.ts';
export { traceIdIn } from './request-log.ts';
