import { describe, expect, it, test } from 'vitest';
import { eventually, exchange, pause, RawClient } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const smuggled = 'GET /api/leads/smuggled HTTP/1.1\r\nHost: h\r\n\r\n';

describe('a request that two readers could frame differently is refused', () => {
  test.each([
    ['length beside transfer coding', 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['transfer coding beside length', 'Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 44\r\n', ''],
    ['the same length twice', 'Content-Length: 1\r\nContent-Length: 1\r\n', 'x'],
    ['a list of lengths', 'Content-Length: 0, 44\r\n', ''],
    ['a signed length', 'Content-Length: +0\r\n', ''],
    ['a negative length', 'Content-Length: -1\r\n', ''],
    ['a hexadecimal length', 'Content-Length: 0x2c\r\n', ''],
    ['an empty length', 'Content-Length: \r\n', ''],
    ['a coding that hides chunked', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['a coding before chunked', 'Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'],
    ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['chunked, then identity', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'],
    ['a blank before the colon', 'Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
    ['a control byte in the coding', 'Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'],
    ['a folded coding', 'Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'],
    ['a bare line feed', 'X: y\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['a bare carriage return', 'X: y\rTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['NUL in a value', 'X: a\0b\r\n', ''],
    ['two hosts', 'Host: other\r\n', ''],
  ])('%s [S-152]', async (_what, headers, body) => {
    const leads = await startUpstream((_request, response) => response.end('ok'));
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const client = new RawClient(port).write(
      `POST /api/leads HTTP/1.1\r\nHost: h\r\n${headers}\r\n${body}${smuggled}`,
    );
    const answer = await client.until(/HTTP\/1\.1 \d/);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    await pause(50);
    expect(leads.requests).toHaveLength(0);
  });

  test.each(['0x0\r\n\r\n', '-0\r\n\r\n', '3\r\nabcd\r\n0\r\n\r\n', '3\nabc\n0\n\n'])(
    'the chunks %j: the service sees the request broken off',
    async (body) => {
      let completed = 0;
      const leads = await startUpstream((request, response) => {
        request.resume().on('error', () => undefined);
        request.on('end', () => {
          completed++;
          response.end('ok');
        });
      });
      const { port } = await startGateway([`/api/leads=${leads.url}`]);
      const client = new RawClient(port).write(
        `POST /api/leads HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${body}${smuggled}`,
      );
      expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 400 /);
      await eventually(() => leads.requests.every(({ destroyed }) => destroyed));
      expect(completed).toBe(0);
      expect(leads.requests.length).toBeLessThanOrEqual(1);
    },
  );

  it('chunks in HTTP/1.0, which has none', async () => {
    const leads = await startUpstream((_request, response) => response.end('ok'));
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const chunks = `POST /api/leads HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await exchange(port, `${chunks}0\r\n\r\n${smuggled}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(leads.requests).toHaveLength(0);
  });

  it('a path in dispute, and a Host in dispute with it', async () => {
    const leads = await startUpstream((_request, response) => response.end('ok'));
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    for (const path of ['/api/leads/%', '/api/leads/%ff', '/%zz', '/nowhere']) {
      const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n${smuggled}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*"field":"host"/);
    }
    expect(leads.requests).toHaveLength(0);
  });

  it('no host at all', async () => {
    const leads = await startUpstream((_request, response) => response.end('ok'));
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    expect(await exchange(port, 'GET /api/leads HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect(leads.requests).toHaveLength(0);
  });
});

describe('an answer that two readers could frame differently is 502', () => {
  test.each([
    ['length beside transfer coding', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!'],
    ['another transfer coding', 'Transfer-Encoding: gzip\r\n\r\nx'],
    ['a folded line', 'X: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
    ['a bare line feed in a value', 'X: a\nSet-Cookie: b\r\nContent-Length: 0\r\n\r\n'],
    ['NUL in a value', 'X: a\0b\r\nContent-Length: 0\r\n\r\n'],
    ['a blank in a name', 'X Y: a\r\nContent-Length: 0\r\n\r\n'],
  ])('%s', async (_what, rest) => {
    const leads = await startRawUpstream((socket) => socket.write(`HTTP/1.1 200 OK\r\n${rest}`, 'latin1'));
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const answer = await exchange(port, 'GET /api/leads HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 502 /);
    expect(answer).toContain('"code":"UPSTREAM_UNAVAILABLE"');
    expect(answer).not.toContain('Set-Cookie');
  });
});

it('what follows an ambiguous request on its connection is no request, even while its refusal waits its turn', async () => {
  const leads = await startUpstream((_request, response) => {
    setTimeout(() => response.end('ok'), 100);
  });
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  const ambiguous = 'GET /api/leads/2 HTTP/1.1\r\nHost: h\r\nHost: other\r\n\r\n';
  const client = new RawClient(port).write(
    `GET /api/leads/1 HTTP/1.1\r\nHost: h\r\n\r\n${ambiguous}${smuggled}`,
  );
  expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 /);
  expect(leads.requests.map(({ url }) => url)).toEqual(['/api/leads/1']);
});

it('bytes that a service sends after its answer never become the answer to another request [S-152]', async () => {
  const leads = await startRawUpstream((socket, text) => {
    const own = /^GET \S*\/(\w+) /.exec(text)?.[1] ?? '';
    const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${own.length}\r\n\r\n${own}`);
    setTimeout(() => socket.write(poison), 5);
  });
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  for (const name of ['one', 'two', 'three']) {
    const answer = await exchange(
      port,
      `GET /api/leads/${name} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`${name}$`));
    await pause(20);
  }
});

test.each([
  ['a longer body than it said', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ['a body after 204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['a body after HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 90\r\nConnection: keep-alive\r\n\r\n'],
])('%s, sent at once, never becomes the answer to another request', async (_what, method, answer) => {
  const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
  const leads = await startRawUpstream((socket) => socket.write(answer + poison));
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  const client = new RawClient(port);
  for (let count = 0; count < 3; count++) {
    client.write(`${method} /api/leads HTTP/1.1\r\nHost: h\r\n\r\n`);
    await eventually(() => leads.received.length === count + 1);
    await client.until(new RegExp(`(HTTP/1.1 20[^]*){${count + 1}}`));
  }
  await pause(50);
  expect(client.received).not.toContain('poison');
});

it('requests pipelined by one client are answered each in its turn', async () => {
  const leads = await startUpstream((request, response) => {
    setTimeout(() => response.end(request.url), request.url?.endsWith('slow') ? 60 : 0);
  });
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  const client = new RawClient(port).write(
    'GET /api/leads/slow HTTP/1.1\r\nHost: h\r\n\r\nGET /api/leads/fast HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
  );
  const answer = await client.untilClosed();
  expect(answer.indexOf('/api/leads/slow')).toBeGreaterThan(0);
  expect(answer.indexOf('/api/leads/fast')).toBeGreaterThan(answer.indexOf('/api/leads/slow'));
});

it('a body that the service does not wait for never reaches the next request', async () => {
  const leads = await startUpstream((request, response) => {
    if (request.method === 'POST') response.writeHead(401).end('no');
    else response.end('get');
  });
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  const client = new RawClient(port).write(
    'POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\n\r\nGET /x',
  );
  await client.until(/401/);
  client.received = '';
  client.write(`${' '.repeat(69_994)}GET /api/leads HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  expect(await client.untilClosed()).toMatch(/get$/);
  await eventually(() => leads.requests.length === 2);
  expect(leads.requests.map(({ url }) => url)).toEqual(['/api/leads', '/api/leads']);
});
