import { startTraceCollector, type TraceCollector } from '@tenantry/test-kit';
import {
  beginRequest,
  endSpan,
  inSpan,
  inTrace,
  isTracing,
  runIn,
  startTracing,
  traceHeaders,
  traceparentOf,
  type Tracing,
} from '@tenantry/tracing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let collector: TraceCollector;
let tracing: Tracing;

beforeEach(async () => {
  collector = await startTraceCollector();
  tracing = await startTracing({ ...collector.allTraces, service: 'leads-service' });
});
afterEach(async () => {
  await tracing.stop();
  await collector.close();
});

/** What was recorded, by the names of the spans. */
async function recorded() {
  await tracing.stop();
  return new Map(collector.spans.map((span) => [span.name, span]));
}

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

describe('a trace', () => {
  it('is a tree of what was called, across awaits and in parallel', async () => {
    const request = beginRequest('GET /api/leads', {});
    await runIn(request, async () => {
      await Promise.all([
        inSpan('transaction', {}, () => inSpan('lead-list', { kind: 'client' }, async () => 'rows')),
        inSpan('lead-count', { kind: 'client' }, async () => 'rows'),
      ]);
      await inSpan('audit', {}, async () => undefined);
    });
    endSpan(request);

    const spans = await recorded();
    const parents = [...spans.values()].map(({ name, parentSpanId }) => [
      name,
      [...spans.values()].find(({ spanId }) => spanId === parentSpanId)?.name,
    ]);
    expect(Object.fromEntries(parents)).toEqual({
      'GET /api/leads': undefined,
      transaction: 'GET /api/leads',
      'lead-list': 'transaction',
      'lead-count': 'GET /api/leads',
      audit: 'GET /api/leads',
    });
    expect(new Set([...spans.values()].map(({ traceId }) => traceId)).size).toBe(1);
    expect(spans.get('audit')?.service).toBe('leads-service');
  });

  it('is continued from another process, and by the next', async () => {
    const request = beginRequest('GET /api/leads', { traceparent: `00-${trace}-${parentId}-01` });
    expect(traceparentOf(request)).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
    expect(runIn(request, traceHeaders)).toEqual({ traceparent: traceparentOf(request) });
    expect(traceHeaders()).toEqual({});
    endSpan(request);

    const spans = await recorded();
    expect(spans.get('GET /api/leads')).toMatchObject({ traceId: trace, parentSpanId: parentId });
  });

  it('that its sender does not record is not recorded here, and not by the next', async () => {
    const request = beginRequest('GET /api/leads', { traceparent: `00-${trace}-${parentId}-00` });
    await runIn(request, async () => {
      await inSpan('lead-list', {}, async () => undefined);
      expect(traceHeaders()['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    });
    endSpan(request);

    expect(await recorded()).toEqual(new Map());
  });

  it.each([
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `ff-${trace}-${parentId}-01`,
    `00-${trace.toUpperCase()}-${parentId}-01`,
    `00-${trace}-${parentId}-01-more`,
    [`00-${trace}-${parentId}-01`],
  ])('starts over where a sender says %s', async (traceparent) => {
    const request = beginRequest('GET /api/leads', { traceparent });
    endSpan(request);
    expect((await recorded()).get('GET /api/leads')).not.toMatchObject({ traceId: trace });
  });

  it('of background work is its own, wherever that was woken', async () => {
    const request = beginRequest('POST /api/leads', {});
    await runIn(request, () => inTrace('mail', () => inSpan('send mail', {}, async () => undefined)));
    endSpan(request);

    const spans = await recorded();
    const mail = spans.get('mail');
    expect(mail?.parentSpanId).toBeUndefined();
    expect(mail?.traceId).not.toBe(spans.get('POST /api/leads')?.traceId);
    expect(spans.get('send mail')?.parentSpanId).toBe(mail?.spanId);
  });
});

describe('a span', () => {
  it('of what fails says by code or class why, and never by message [S-176]', async () => {
    const broken = Object.assign(new Error('Key (email)=(grace@navy.example) already exists'), {
      code: '23505',
    });
    await expect(inTrace('mail', () => Promise.reject(broken))).rejects.toBe(broken);
    await expect(
      inTrace('events', () => Promise.reject(new RangeError('grace@navy.example'))),
    ).rejects.toThrow();

    const spans = await recorded();
    expect(spans.get('mail')).toMatchObject({ isError: true, attributes: { 'error.type': '23505' } });
    expect(spans.get('events')).toMatchObject({ isError: true, attributes: { 'error.type': 'RangeError' } });
    expect(collector.text()).not.toMatch(/grace|already exists/);
  });

  it('is none outside of a trace, or after its trace was answered', async () => {
    await inSpan('nowhere', {}, async () => undefined);
    const request = beginRequest('GET /api/leads', {});
    await runIn(request, async () => {
      endSpan(request);
      await inSpan('late', {}, async () => undefined);
    });
    expect([...(await recorded()).keys()]).toEqual(['GET /api/leads']);
  });
});

describe('without tracing', () => {
  it('work is run as it is', async () => {
    await tracing.stop();
    expect(isTracing()).toBe(false);
    const answer = Promise.resolve('rows');
    expect(inSpan('lead-list', {}, () => answer)).toBe(answer);
    expect(inTrace('mail', () => answer)).toBe(answer);
    expect(traceHeaders()).toEqual({});
  });
});
