import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import { running } from './running.ts';
import { isSampled, readTraceparent } from './traceparent.ts';

export type { Span } from '@opentelemetry/api';

/** What a span says beside its name and its times. */
export interface SpanDescription {
  /** `client`: another process is waited for. Default: `internal`. */
  readonly kind?: 'client' | 'internal';
  /** From closed sets: never a value, a path, an id or anything else that a client or a row has chosen. */
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** Where a request comes from. */
export interface RequestOrigin {
  /** The `traceparent` of a sender that is believed; without one the request begins a trace. */
  readonly traceparent?: unknown;
}

const kinds = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
let tracer: Tracer | undefined;

/** Whether this process traces at all. Where it does not, nothing here costs more than asking this. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** What makes the spans from now on, or nothing; for `startTracing` alone. */
export function traceBy(maker: Tracer | undefined): void {
  tracer = maker;
}

/**
 * Runs work as a span of the trace that is recorded now. Where none is, it just runs the work.
 *
 * @example inSpan('lead-list', { kind: 'client' }, () => pool.query(text));
 */
export function inSpan<Result>(
  name: string,
  description: SpanDescription,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = recordedSpan();
  return parent ? during(beginSpan(name, description, parent), work) : work();
}

/**
 * The current span, if it is recorded. Work that continues after its span has ended is not recorded, since it was not awaited.
 */
export function recordedSpan(): Span | undefined {
  const span = tracer && running.getStore();
  return span?.isRecording() === true ? span : undefined;
}

/** Runs background work, which belongs to no request, as a trace of its own. */
export function inTrace<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return tracer ? during(tracer.startSpan(name, undefined, ROOT_CONTEXT), work) : work();
}

/** Begins the span of a request that was received; to be ended by {@link endSpan}. */
export function beginRequest(name: string, { traceparent }: RequestOrigin): Span {
  const sender = readTraceparent(traceparent);
  // If the sender does not record the trace, no span is created: the sender's own represents it.
  if (sender && !isSampled(sender)) return trace.wrapSpanContext(sender);
  const parent = sender ? trace.setSpanContext(ROOT_CONTEXT, sender) : ROOT_CONTEXT;
  return (tracer ?? trace.getTracer('none')).startSpan(name, { kind: SpanKind.SERVER }, parent);
}

/**
 * Begins a span for work that is not a single promise; end it by {@link endSpan}. If the work is not recorded, this is the span
 * that it would be a part of.
 */
export function beginSpan(
  name: string,
  { kind = 'internal', attributes = {} }: SpanDescription,
  parent: Span,
): Span {
  if (!tracer || !parent.isRecording()) return parent;
  return tracer.startSpan(name, { kind: kinds[kind], attributes }, trace.setSpan(ROOT_CONTEXT, parent));
}

/** Runs work, and all that it starts, as a part of a span. */
export function runIn<Result>(span: Span, work: () => Result): Result {
  return running.run(span, work);
}

/** Whether what runs now is a part of this very span. */
export function runsIn(span: Span): boolean {
  return running.getStore() === span;
}

/** Ends a span; `error` is why it failed, if it did. */
export function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', typeOf(error));
  }
  span.end();
}

async function during<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await runIn(span, work);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}

const codeShape = /^\w{1,64}$/;

/** The code or the class of an error, never its message, which may quote a value. */
function typeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return (
    [code, name].find((text): text is string => typeof text === 'string' && codeShape.test(text)) ?? 'unknown'
  );
}
