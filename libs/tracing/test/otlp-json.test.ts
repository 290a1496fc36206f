import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { otlpJsonOf } from '../src/otlp-json.ts';

/** One of each that is made here. */
async function spansOfEveryKind() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'leads-service', 'service.version': '1.2.3' }),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('tenantry');
  const sender = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    traceFlags: 1,
    isRemote: true,
  };
  const request = tracer.startSpan(
    'GET /api/leads/:id',
    { kind: SpanKind.SERVER, attributes: { status: 200, share: 0.25, text: 'a "quoted" \\ \n é 💡 \ud800' } },
    trace.setSpanContext(ROOT_CONTEXT, sender),
  );
  const child = { kind: SpanKind.CLIENT, startTime: [1_700_000_000, 7] as [number, number] };
  tracer
    .startSpan('lead-by-id', child, trace.setSpan(ROOT_CONTEXT, request))
    .end([1_700_000_001, 999_999_999]);
  request.setStatus({ code: SpanStatusCode.ERROR }).end();
  tracer.startSpan('mail', undefined, ROOT_CONTEXT).end();
  await provider.forceFlush();
  return exporter.getFinishedSpans();
}

/** Without what is zero or empty, which the protocol lets out. */
const withoutZeros = (text: string) =>
  JSON.parse(text, (key, value: unknown) =>
    /^dropped/.test(key) || ((key === 'events' || key === 'links') && Array.isArray(value))
      ? undefined
      : value,
  ) as unknown;

it('says of spans what the serializer of OpenTelemetry says of them', async () => {
  const spans = await spansOfEveryKind();
  expect(spans).toHaveLength(3);
  const theirs = Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []).toString();
  const ours = Buffer.from(otlpJsonOf(spans)).toString();
  expect(withoutZeros(ours)).toEqual(withoutZeros(theirs));
});
