import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** The span that runs now. A context of the API would be two maps for each request, to hold this one thing. */
export const running = new AsyncLocalStorage<Span>();
