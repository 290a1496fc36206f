import { describe, expect, it, test } from 'vitest';
import { answerHeaders } from '../src/proxy/answer-headers.ts';
import { clientOrigin, trustIn } from '../src/proxy/client-origin.ts';
import { newTraceparent, requestIdOf } from '../src/proxy/identifiers.ts';
import { isTraceparent, readClientHeaders } from '../src/proxy/request-headers.ts';

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

  it('continues a valid trace with its state and drops an invalid one with its state', () => {
    const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const traced = readClientHeaders(['traceparent', valid, 'tracestate', 'a=1']);
    expect(traced.traceparent).toBe(valid);
    expect(traced.kept).toEqual(['tracestate', 'a=1']);
    const broken = readClientHeaders(['traceparent', `${valid}x`, 'tracestate', 'a=1']);
    expect(broken).toMatchObject({ traceparent: undefined, kept: [] });
    expect(readClientHeaders(['traceparent', valid, 'traceparent', valid]).traceparent).toBeUndefined();
  });
});

describe('identifiers', () => {
  it('keeps a request id that is harmless in a log, and makes one otherwise', () => {
    expect(requestIdOf('A.b_c-9')).toBe('A.b_c-9');
    for (const given of [undefined, '', 'a b', 'a"b', 'é', 'x'.repeat(65)]) {
      expect(requestIdOf(given)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('makes valid traces, no two alike', () => {
    const traces = Array.from({ length: 2_000 }, newTraceparent);
    expect(traces.every(isTraceparent)).toBe(true);
    expect(new Set(traces).size).toBe(traces.length);
  });

  test.each([
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
  ])('%s is no trace', (value) => expect(isTraceparent(value)).toBe(false));
});

describe('the client behind the connection', () => {
  const trust = trustIn(['10.0.0.0/8', '::1', '192.168.1.1']);
  const origin = (peer: string, forwardedFor?: string, more: { proto?: string; host?: string } = {}) =>
    clientOrigin({
      peer,
      host: 'own',
      forwarded: { for: forwardedFor, proto: more.proto, host: more.host },
      trust,
    });

  it('is the peer, whatever an untrusted peer claims', () => {
    expect(origin('1.2.3.4', '9.9.9.9', { proto: 'https', host: 'evil' })).toEqual({
      address: '1.2.3.4',
      protocol: 'http',
      host: 'own',
    });
  });

  it('is the first untrusted address from the end behind trusted proxies', () => {
    expect(origin('10.1.1.1', '6.6.6.6, 5.5.5.5, 192.168.1.1').address).toBe('5.5.5.5');
    expect(origin('::1', '10.3.3.3').address).toBe('10.3.3.3');
    expect(origin('10.1.1.1', undefined).address).toBe('10.1.1.1');
    expect(origin('10.1.1.1', '5.5.5.5, <script>').address).toBe('10.1.1.1');
  });

  it('takes protocol and host from a trusted proxy alone, and only plausible ones', () => {
    expect(origin('10.1.1.1', '5.5.5.5', { proto: 'https', host: 'api.example.com' })).toEqual({
      address: '5.5.5.5',
      protocol: 'https',
      host: 'api.example.com',
    });
    expect(origin('10.1.1.1', '5.5.5.5', { proto: 'ftp', host: 'a b' })).toMatchObject({
      protocol: 'http',
      host: 'own',
    });
  });

  it('refuses a range that is none', () => {
    expect(() => trustIn(['not-an-address'])).toThrow('TRUST_PROXY');
  });
});

describe('answer headers', () => {
  it('keeps end-to-end fields and drops those of the connection', () => {
    const kept = answerHeaders(200, {
      'set-cookie': ['a=1', 'b=2'],
      connection: 'keep-alive, X-Hop',
      'keep-alive': 'timeout=5',
      'x-hop': 'gone',
      trailer: 'x',
      upgrade: 'h2c',
      'x-request-id': 'of the service',
      'content-length': '5',
    });
    expect(kept).toEqual(['set-cookie', ['a=1', 'b=2'], 'content-length', '5']);
  });

  it('keeps the length whatever Connection names, except of 204', () => {
    const received = { connection: 'close, content-length', 'content-length': '7' };
    expect(answerHeaders(304, received)).toEqual(['content-length', '7']);
    expect(answerHeaders(204, received)).toEqual([]);
  });

  test.each([
    ['another transfer coding', 200, 'gzip'],
    ['a coding before chunked', 200, 'gzip, chunked'],
    ['a status that means nothing', 600, 'chunked'],
  ])('%s is refused', (_what, status, coding) => {
    expect(() => answerHeaders(status, { 'transfer-encoding': coding })).toThrow(
      expect.objectContaining({ code: 'INVALID_RESPONSE' }),
    );
  });
});
