import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startUpstream } from './support/upstream.ts';

const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const page = '<!doctype html><title>Console</title>';
const script = `console.log('${'a'.repeat(3_000)}');`;

/** A console as its build leaves it. */
function builtConsole(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tenantry-console-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), page);
  writeFileSync(join(directory, 'favicon.svg'), '<svg/>');
  writeFileSync(join(directory, 'assets/main-1a2b.js'), script);
  writeFileSync(join(directory, 'assets/main-1a2b.js.br'), brotliCompressSync(script));
  writeFileSync(join(directory, 'assets/main-1a2b.js.gz'), gzipSync(script));
  return directory;
}

const routes = ['/api/leads=http://127.0.0.1:1'];
const startWithConsole = (settings = {}) =>
  startGateway(routes, { CONSOLE_DIRECTORY: builtConsole(), ...settings });

describe('without CONSOLE_DIRECTORY', () => {
  it('nothing is at /, for a browser either', async () => {
    const { port } = await startGateway(routes);
    const answer = await send(port, '/', html);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});

describe('with CONSOLE_DIRECTORY', () => {
  it('the start is refused where there is no index.html', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'tenantry-console-'));
    onTestFinished(() => rmSync(empty, { recursive: true }));
    const started = startGateway(routes, { CONSOLE_DIRECTORY: empty });
    await expect(started).rejects.toThrow('there is no index.html: build the console first');
  });

  it.each(['/', '/index.html', '/sign-in', '/accept-invitation', '/leads/board?q=%C3%A5', '/docsy', '/apis'])(
    'a browser that opens %s gets the page, which is asked for again each time',
    async (path) => {
      const { port } = await startWithConsole();
      const { status, headers, text } = await send(port, path, html);
      expect([status, text]).toEqual([200, page]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
          "font-src 'self'; frame-src blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
      });
      const headed = { ...html.headers, 'if-none-match': headers.etag ?? '' };
      const again = await send(port, path, { headers: headed });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers.etag]);
    },
  );

  it.each([
    '/api',
    '/api/nothing',
    '/docs/nothing',
    '/internal/events',
    '/.well-known/nothing',
    '/assets/gone-1a2b.js',
    '/assets/',
  ])('a browser that opens %s is told that nothing is there', async (path) => {
    const { port } = await startWithConsole();
    const { status, headers } = await send(port, path, html);
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });

  it.each([
    ['takes anything', '/leads', { headers: { accept: '*/*' } }],
    ['wants JSON', '/leads', { headers: { accept: 'application/json' } }],
    ['takes no HTML', '/leads', { headers: { accept: 'text/html;q=0, */*' } }],
    ['sends a form', '/sign-in', { method: 'POST', ...html }],
  ])('a request that %s is answered 404', async (_who, path, request) => {
    const { port } = await startWithConsole();
    expect((await send(port, path, request)).status).toBe(404);
  });

  it('takes nothing away from services, whatever their prefix is', async () => {
    const files = await startUpstream((_request, response) => void response.end('a file'));
    const settings = { CONSOLE_DIRECTORY: builtConsole() };
    const { port } = await startGateway([`/files=${files.url}`], settings);
    expect((await send(port, '/files/1', html)).text).toBe('a file');
  });

  it.each([
    ['br', 'gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip, br;q=0', 'gzip'],
    ['nothing', 'identity', undefined],
  ])('a client that takes %s gets an asset so, for good', async (_what, accepted, encoding) => {
    const { port } = await startWithConsole();
    const url = `http://127.0.0.1:${port}/assets/main-1a2b.js`;
    const answer = await send(port, '/assets/main-1a2b.js', { headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept, Accept-Encoding',
    });
    const read = await fetch(url, { headers: { 'accept-encoding': accepted } });
    expect(await read.text()).toBe(script);
  });

  it('any other file of the build is answered as it is, to HEAD without its body', async () => {
    const { port } = await startWithConsole();
    const { status, headers, text } = await send(port, '/favicon.svg');
    expect([status, headers['content-type'], text]).toEqual([200, 'image/svg+xml', '<svg/>']);
    const head = await send(port, '/favicon.svg', { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '6', '']);
  });

  it('what is answered stays one build, whatever becomes of the folder', async () => {
    const directory = builtConsole();
    const { port } = await startGateway(routes, { CONSOLE_DIRECTORY: directory });
    writeFileSync(join(directory, 'index.html'), 'another');
    expect((await send(port, '/', html)).text).toBe(page);
  });

  it('no path leads out of the folder [S-131]', async () => {
    const { port } = await startWithConsole();
    for (const path of ['/assets/../../etc/passwd', '/assets/%2e%2e/index.html', '/..%2findex.html']) {
      expect((await send(port, path)).status).toBe(400);
    }
  });

  it('spends none of what a client may request, and no line of the log at info', async () => {
    const { port, logs } = await startWithConsole({ RATE_LIMIT_PER_MINUTE: 3, LOG_LEVEL: 'info' });
    for (let load = 0; load < 20; load += 1) {
      expect((await send(port, '/', html)).status).toBe(200);
      expect((await send(port, '/assets/main-1a2b.js')).status).toBe(200);
    }
    expect(logs()).not.toContain('"msg":"request"');
    expect((await send(port, '/api/nothing')).status).toBe(404);
    expect(logs()).toContain('/api/nothing');
  });
});
