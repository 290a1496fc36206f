import { readTraceparent } from '@tenantry/tracing';
import { describe, expect, it, test } from 'vitest';
import { answerHeaders } from '../src/proxy/answer-headers.ts';
import { readClientHeaders } from '../src/proxy/request-headers.ts';
import { createTracing, newTraceparent } from '../src/proxy/tracing.ts';

describe('request headers', () => {
  it('lets end-to-end fields travel as they are, repeated ones included', () => {
    const { kept } = readClientHeaders(['Host', 'h', 'Cookie', 'a=1', 'X-Custom', 'é', 'cookie', 'b=2']);
    expect(kept).toEqual(['X-Custom', 'é']);
  });

  test.each([
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Upgrade',
    'HTTP2-Settings',
    'Expect',
    'X-User-Id',
    'x-user-role',
    'X-Organization-Id',
    'X-ORGANIZATION-ROLE',
    'X-Forwarded-For',
    'X-Forwarded-Prefix',
    'Forwarded',
    'X-Real-IP',
    'X-Request-Id',
  ])('%s ends at the gateway', (name) => {
    expect(readClientHeaders([name, 'x', 'Accept', '*/*']).kept).toEqual(['Accept', '*/*']);
  });

  it('drops what Connection names, in any of its lines', () => {
    const raw = [
      'Connection',
      'close, X-One',
      'connection',
      'x-two',
      'X-One',
      '1',
      'x-TWO',
      '2',
      'X-Three',
      '3',
    ];
    expect(readClientHeaders(raw).kept).toEqual(['X-Three', '3']);
  });

  it('tells how long the body is', () => {
    expect(readClientHeaders([]).body).toBe('none');
    expect(readClientHeaders(['Content-Length', '0']).body).toBe('none');
    expect(readClientHeaders(['Content-Length', '12']).body).toBe('12');
    expect(readClientHeaders(['Transfer-Encoding', 'Chunked']).body).toBe('chunked');
    expect(readClientHeaders(['Connection', 'content-length', 'Content-Length', '12']).body).toBe('12');
  });

  test.each([
    [['Host', 'a', 'Host', 'a']],
    [['Host', 'a b']],
    [['Host', 'a/../b']],
    [['Content-Length', '1', 'Content-Length', '1']],
    [['Content-Length', '1', 'Transfer-Encoding', 'chunked']],
    [['Transfer-Encoding', 'gzip, chunked']],
    [['Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked']],
    [['Transfer-Encoding', 'xchunked']],
  ])('%j is refused as ambiguous', (raw) => expect(() => readClientHeaders(raw)).toThrow(/must|not/));

  it('a transfer coding in HTTP/1.0 is refused as ambiguous', () => {
    const raw = ['Transfer-Encoding', 'chunked'];
    expect(() => readClientHeaders(raw, '1.0')).toThrow('must not be sent in HTTP/1.0');
    expect(readClientHeaders(raw, '1.1').body).toBe('chunked');
  });
});

describe('traces', () => {
  const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const never = createTracing({ ratio: 0 });
  const received = (...raw: string[]) => readClientHeaders(raw).trace;

  it('of a trusted proxy continue with their state, and its sampling decision is kept', () => {
    const trace = received('traceparent', valid, 'TraceState', 'a=1', 'tracestate', 'b=2');
    expect(never(trace, true)).toEqual(['traceparent', valid, 'tracestate', 'a=1', 'tracestate', 'b=2']);
  });

  it.each([
    ['of anyone else', false, [valid]],
    ['that are not valid', true, [`${valid}x`]],
    ['that are given twice', true, [valid, valid]],
    ['that are absent', true, []],
  ])('%s start over, without their state', (_whose, trusted, given) => {
    const trace = received(...given.flatMap((value) => ['traceparent', value]), 'tracestate', 'a=1');
    const [name, value, ...rest] = never(trace, trusted);
    expect({ name, rest }).toEqual({ name: 'traceparent', rest: [] });
    expect(value).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(value?.slice(0, 52)).not.toBe(valid.slice(0, 52));
  });

  it('that begin here are recorded in the share that is set', () => {
    let turn = 0;
    const tracing = createTracing({ ratio: 0.25, random: () => (turn++ % 100) / 100 });
    const flags = Array.from({ length: 100 }, () => tracing(received(), false)[1]?.slice(-2));
    expect(flags.filter((flag) => flag === '01')).toHaveLength(25);
  });

  it('are valid, no two alike', () => {
    const traces = Array.from({ length: 2_000 }, () => newTraceparent(true));
    expect(traces.every((trace) => readTraceparent(trace)?.traceFlags === 1)).toBe(true);
    expect(new Set(traces).size).toBe(traces.length);
  });
});

describe('answer headers', () => {
  const none = () => undefined;
  const context = { own: none, setsCookies: true };

  it('keeps end-to-end fields and drops those of the connection', () => {
    const received = {
      'set-cookie': ['a=1', 'b=2'],
      connection: 'keep-alive, X-Hop',
      'keep-alive': 'timeout=5',
      'x-hop': 'gone',
      trailer: 'x',
      upgrade: 'h2c',
      'x-request-id': 'of the service',
      'content-length': '5',
    };
    const kept = answerHeaders(200, received, context);
    expect(kept).toEqual(['set-cookie', ['a=1', 'b=2'], 'content-length', '5']);
  });

  it('keeps the length whatever Connection names, except of 204', () => {
    const received = { connection: 'close, content-length', 'content-length': '7' };
    expect(answerHeaders(304, received, context)).toEqual(['content-length', '7']);
    expect(answerHeaders(204, received, context)).toEqual([]);
  });

  it.each([
    ['Origin', 'Origin'],
    ['origin, Accept', 'origin, Accept'],
    ['Accept', 'Accept, Origin'],
    ['*', '*'],
  ])('varies by what the service says (%s) and what the gateway adds: %s', (vary, both) => {
    const own = (name: string) => (name === 'vary' ? 'Origin' : undefined);
    expect(answerHeaders(200, { vary }, { own, setsCookies: true })).toEqual(['vary', both]);
  });

  it.each([
    '__Host-access=forged; Path=/; Secure',
    '__host-access=forged',
    ' __Secure-refresh = forged',
    '__Secure-device=forged',
    '=__Host-access=forged',
  ])('never sets a cookie of sessions that another service than auth sends: %s', (cookie) => {
    const received = { 'set-cookie': [cookie, 'a=1'] };
    expect(answerHeaders(200, received, { own: none, setsCookies: false })).toEqual(['set-cookie', ['a=1']]);
    expect(answerHeaders(200, received, context)).toEqual(['set-cookie', [cookie, 'a=1']]);
  });

  test.each([
    ['another transfer coding', 200, 'gzip'],
    ['a coding before chunked', 200, 'gzip, chunked'],
    ['a status that means nothing', 600, 'chunked'],
  ])('%s is refused', (_what, status, coding) => {
    expect(() => answerHeaders(status, { 'transfer-encoding': coding }, context)).toThrow(
      expect.objectContaining({ code: 'INVALID_RESPONSE' }),
    );
  });
});
