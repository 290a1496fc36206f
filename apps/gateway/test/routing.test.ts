import { describe, expect, it, test } from 'vitest';
import { pathOf, pathProblem } from '../src/routing/request-target.ts';
import { covers, parseRouteTable } from '../src/routing/route-table.ts';

const routes = ['/api/auth=http://127.0.0.1:3000', '/api/leads=http://a:3001|http://[::1]:3002;timeout=30'];

describe('the route table', () => {
  it('reads prefixes, addresses and time-outs', () => {
    const table = parseRouteTable(routes, 10);
    expect(table).toEqual([
      {
        prefix: '/api/leads',
        addresses: [{ origin: 'http://a:3001' }, { origin: 'http://[::1]:3002' }],
        timeoutMs: 30_000,
        failures: 'envelope',
        takesCookies: false,
      },
      {
        prefix: '/api/auth',
        addresses: [{ origin: 'http://127.0.0.1:3000' }],
        timeoutMs: 10_000,
        failures: 'plain',
        takesCookies: true,
      },
    ]);
  });

  test.each([
    ['leads=http://a', 'the prefix must look like'],
    ['/api/Leads/=http://a', 'the prefix must look like'],
    ['/internal=http://a', "/internal is not a service's to answer"],
    ['/internal/users=http://a', "/internal is not a service's to answer"],
    ['/api=http://a', "/api/health is not a service's to answer"],
    ['/docs=http://a', "/docs is not a service's to answer"],
    ['/api/x=ftp://a', 'is not an http:// address'],
    ['/api/x=a:3000', 'is not an http:// address'],
    ['/api/x=http://a/path', 'must be an address alone'],
    ['/api/x=http://user@a', 'must be an address alone'],
    ['/api/x=http://a;timeout=0', 'is not understood'],
    ['/api/x=http://a;retries=3', 'is not understood'],
  ])('refuses %s', (entry, problem) => {
    expect(() => parseRouteTable([entry], 10)).toThrow(problem);
  });

  it('names every problem at once', () => {
    expect(() => parseRouteTable(['/api/x=ftp://a', '/y=http://', '/z=http://a', '/z=http://b'], 10)).toThrow(
      /\/api\/x[^]*\/y[^]*\/z is listed twice/,
    );
  });

  it('puts the longest prefix first, and matches at segment boundaries', () => {
    const table = parseRouteTable(['/api/a=http://a', '/api/a/b=http://b'], 10);
    expect(table.map(({ prefix }) => prefix)).toEqual(['/api/a/b', '/api/a']);
    for (const path of ['/api/a', '/api/a/', '/api/a/bc']) expect(covers('/api/a', path)).toBe(true);
    for (const path of ['/api/ab', '/API/a', '/api', '/%61pi/a']) expect(covers('/api/a', path)).toBe(false);
  });
});

describe('paths', () => {
  test.each([
    '/',
    '/api/leads',
    '/api/leads/',
    '/api/leads/1%202',
    '/a/..b',
    '/a/b..',
    '/a.b/.c',
    '/%C3%A9',
    "/a;b=c,(d)'",
  ])('%s is accepted', (path) => expect(pathProblem(path)).toBeUndefined());

  test.each([
    '',
    '*',
    'http://h/api/leads',
    '//api/leads',
    '/api//leads',
    '/api/./leads',
    '/api/leads/.',
    '/api/leads/..',
    '/api/leads/../users',
    '/api/leads/%2e%2E/users',
    '/api/leads/.%2e/users',
    '/api/leads/%2e',
    '/api/leads%2fx',
    '/api/leads%5Cx',
    '/api\\leads',
    '/api/leads%00',
    '/api/leads%0d%0a',
    '/api/leads%7f',
    '/api/leads%',
    '/api/leads%zz',
    '/api/leads%u0041',
    '/api/le ads',
    '/api/leads#x',
    '/api/léads',
    '/api/leads\t',
  ])('%j is refused', (path) => expect(pathProblem(path)).toBeTypeOf('string'));

  it('takes the query string off at the first question mark', () => {
    expect(pathOf('/a?b=/../?')).toBe('/a');
    expect(pathOf('/a')).toBe('/a');
  });
});
