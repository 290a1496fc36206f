import type { TracingLogger } from '@tenantry/tracing';

/** Says nothing. */
export const silent: TracingLogger = { info: () => undefined, warn: () => undefined };
