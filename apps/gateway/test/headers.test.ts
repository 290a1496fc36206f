import { describe, expect, it, test } from 'vitest';
import { clientOrigin, trustIn } from '../src/proxy/client-origin.ts';
import { newTraceparent, requestIdOf } from '../src/proxy/identifiers.ts';
import { isTraceparent, readClientHeaders } from '../src/proxy/request-headers.ts';
import { parseResponseHead } from '../src/upstream/response-head.ts';

describe('request headers', () => {
  it('lets end-to-end fields travel as they are, repeated ones included', () => {
    const { lines } = readClientHeaders(['Host', 'h', 'Cookie', 'a=1', 'X-Custom', 'é', 'cookie', 'b=2']);
    expect(lines).toBe('Cookie: a=1\r\nX-Custom: é\r\ncookie: b=2\r\n');
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
    expect(readClientHeaders([name, 'x', 'Accept', '*/*']).lines).toBe('Accept: */*\r\n');
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
    expect(readClientHeaders(raw).lines).toBe('X-Three: 3\r\n');
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
    expect(traced.lines).toBe('tracestate: a=1\r\n');
    const broken = readClientHeaders(['traceparent', `${valid}x`, 'tracestate', 'a=1']);
    expect(broken).toMatchObject({ traceparent: undefined, lines: '' });
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

describe('response heads', () => {
  const parse = (lines: string[], method = 'GET') => parseResponseHead(lines.join('\r\n'), method);

  it('keeps end-to-end fields and drops those of the connection', () => {
    const head = parse([
      'HTTP/1.1 200 OK',
      'Set-Cookie: a=1',
      'set-cookie: b=2',
      'Connection: keep-alive, X-Hop',
      'Keep-Alive: timeout=5',
      'X-Hop: gone',
      'Trailer: x',
      'Upgrade: h2c',
      'Content-Length: 5',
    ]);
    expect(head).toEqual({
      status: 200,
      headers: ['Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'content-length', '5'],
      framing: 'length',
      contentLength: 5,
      keepAlive: true,
    });
  });

  test.each([
    ['GET', 'HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'chunked', true],
    ['GET', 'HTTP/1.1 200 OK', 'X: y', 'until-close', false],
    ['GET', 'HTTP/1.0 200 OK', 'Content-Length: 1', 'length', false],
    ['GET', 'HTTP/1.1 200', 'Content-Length: 0', 'none', true],
    ['GET', 'HTTP/1.1 200 OK', 'Content-Length: 1\r\nConnection: close', 'length', false],
    ['HEAD', 'HTTP/1.1 200 OK', 'Content-Length: 7', 'none', true],
    ['HEAD', 'HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'none', true],
    ['GET', 'HTTP/1.1 204 No Content', 'Content-Length: 7', 'none', true],
    ['GET', 'HTTP/1.1 304 Not Modified', 'Content-Length: 7', 'none', true],
  ] as const)('%s %s with %j is framed as %s', (method, status, line, framing, keepAlive) => {
    expect(parse([status, line], method)).toMatchObject({ framing, keepAlive });
  });

  it('says the length that a HEAD or 304 answer speaks of, and none for 204', () => {
    expect(parse(['HTTP/1.1 200 OK', 'Content-Length: 7'], 'HEAD').headers).toEqual(['content-length', '7']);
    expect(parse(['HTTP/1.1 304 Not Modified', 'Content-Length: 7']).headers).toEqual([
      'content-length',
      '7',
    ]);
    expect(parse(['HTTP/1.1 204 No Content', 'Content-Length: 7']).headers).toEqual([]);
  });

  test.each([
    ['no HTTP at all', ['SSH-2.0-OpenSSH']],
    ['another version', ['HTTP/2 200 OK']],
    ['a status of two digits', ['HTTP/1.1 20 OK']],
    ['a line without colon', ['HTTP/1.1 200 OK', 'nonsense']],
    ['a folded line', ['HTTP/1.1 200 OK', 'A: b', ' c']],
    ['an empty name', ['HTTP/1.1 200 OK', ': b']],
    ['a length that is no number', ['HTTP/1.1 200 OK', 'Content-Length: +5']],
    ['a list of lengths', ['HTTP/1.1 200 OK', 'Content-Length: 5, 5']],
    ['two lengths', ['HTTP/1.1 200 OK', 'Content-Length: 5', 'Content-Length: 6']],
    ['length and transfer coding', ['HTTP/1.1 200 OK', 'Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['another transfer coding', ['HTTP/1.1 200 OK', 'Transfer-Encoding: gzip, chunked']],
    ['a transfer coding of HTTP/1.0', ['HTTP/1.0 200 OK', 'Transfer-Encoding: chunked']],
  ])('%s is refused', (_what, lines) => {
    expect(() => parse(lines)).toThrow(expect.objectContaining({ code: 'INVALID_RESPONSE' }));
  });
});
