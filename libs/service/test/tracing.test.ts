import { randomUUID } from 'node:crypto';
import { startTraceCollector, type TraceCollector } from '@tenantry/test-kit';
import { inSpan, startTracing, type Tracing } from '@tenantry/tracing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildFixture, ThingBody } from './fixture.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;

let collector: TraceCollector;
let tracing: Tracing;

beforeEach(async () => {
  collector = await startTraceCollector();
  tracing = await startTracing({ ...collector.allTraces, service: 'fixture-service' });
});
afterEach(async () => {
  await tracing.stop();
  await collector.close();
});

/** What clients send and errors say: log lines may hold paths and messages, spans none of it. */
const stranger = 'nightjar';

/** A service whose handler asks something, in one way and another. */
async function fixture(trustProxy: string[] = []) {
  const { app, logs } = await buildFixture({ trustProxy }, (service) => {
    const ask = () => inSpan('thing-by-id', { kind: 'client' }, async () => ({}));
    service.get('/things/:id', { config: { access: 'public' } }, ask);
    service.post('/things', { config: { access: 'public' }, schema: { body: ThingBody } }, ask);
    service.get('/defect', { config: { access: 'public' } }, async () => {
      throw new Error(`no ${stranger}`);
    });
  });
  /** What was recorded, once the service has ended. */
  const recorded = async () => {
    await app.close();
    await tracing.stop();
    return new Map(collector.spans.map((span) => [span.name, span]));
  };
  return { app, logs, recorded };
}

describe('the span of a request', () => {
  it('has the route, the status and the request id, and nothing else of the request [S-176]', async () => {
    const { app, recorded } = await fixture();
    const requestId = randomUUID();
    await app.inject({
      url: `/things/${stranger}-path?token=${stranger}-query`,
      headers: { 'x-request-id': requestId, authorization: `Bearer ${stranger}`, cookie: `a=${stranger}` },
    });
    await app.inject({ method: 'POST', url: '/things', body: { name: stranger.slice(0, 5) } });

    const spans = await recorded();
    expect(spans.get('GET /things/:id')?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/things/:id',
      'tenantry.request_id': requestId,
    });
    expect(collector.text()).not.toContain(stranger.slice(0, 5));
  });

  it.each([
    ['without a body', 'GET /things/:id', { url: '/things/1' }],
    ['with one', 'POST /things', { method: 'POST', url: '/things', body: { name: 'a' } }],
  ] as const)('holds what answers it, %s', async (_what, name, request) => {
    const { app, recorded } = await fixture();
    await app.inject(request);
    const spans = await recorded();
    expect(spans.get('thing-by-id')?.parentSpanId).toBe(spans.get(name)?.spanId);
  });

  it('of an unknown path names none', async () => {
    const { app, recorded } = await fixture();
    await app.inject(`/nowhere/${stranger}`);
    const spans = await recorded();
    expect(spans.get('GET')?.attributes).toMatchObject({ 'http.response.status_code': 404 });
    expect(spans.get('GET')).toMatchObject({ isError: false });
    expect(collector.text()).not.toContain(stranger);
  });

  it('has failed where the service has, without a word of why', async () => {
    const { app, recorded } = await fixture();
    await app.inject('/defect');
    const spans = await recorded();
    expect(spans.get('GET /defect')).toMatchObject({ isError: true, attributes: { 'error.type': '500' } });
    expect(collector.text()).not.toContain(stranger);
  });
});

describe('the trace of a request', () => {
  it('is that of a trusted proxy', async () => {
    const { app, recorded, logs } = await fixture(['127.0.0.1/32']);
    await app.inject({ url: '/things/1', headers: { traceparent } });
    expect((await recorded()).get('GET /things/:id')?.traceId).toBe(trace);
    expect(logs()).toContain(`"traceId":"${trace}"`);
  });

  it('is never one that a client made up [S-176]', async () => {
    const { app, recorded, logs } = await fixture();
    await app.inject({ url: '/things/1', headers: { traceparent } });
    const { traceId } = (await recorded()).get('GET /things/:id')!;
    expect(traceId).not.toBe(trace);
    expect(logs()).toContain(`"traceId":"${traceId}"`);
  });

  it('that a trusted proxy does not record is in the log alone', async () => {
    const { app, recorded, logs } = await fixture(['127.0.0.1/32']);
    await app.inject({ url: '/things/1', headers: { traceparent: traceparent.replace(/01$/, '00') } });
    expect(await recorded()).toEqual(new Map());
    expect(logs()).toContain(`"traceId":"${trace}"`);
  });
});
