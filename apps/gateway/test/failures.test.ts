import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, test, onTestFinished } from 'vitest';
import { eventually, exchange, RawClient, send } from './support/client.ts';
import { shortSeconds, startGateway } from './support/gateway.ts';
import { startRawUpstream, startUpstream, stop, unusedPort } from './support/upstream.ts';

const get = 'GET /api/leads HTTP/1.1\r\nHost: h\r\n\r\n';
const unavailable = { data: null, error: { code: 'UPSTREAM_UNAVAILABLE', details: [] } };

describe('a service that cannot answer', () => {
  it('is 503 with Retry-After when its port is closed, in the shape of its prefix', async () => {
    const closed = `http://127.0.0.1:${await unusedPort()}`;
    const { port } = await startGateway([`/api/leads=${closed}`, `/api/auth=${closed}`]);
    const enveloped = await send(port, '/api/leads', { method: 'POST', body: '{}' });
    expect(enveloped.status).toBe(503);
    expect(enveloped.headers).toMatchObject({ 'retry-after': '1', 'x-content-type-options': 'nosniff' });
    expect(JSON.parse(enveloped.text)).toMatchObject({
      ...unavailable,
      meta: { requestId: enveloped.headers['x-request-id'] },
    });
    const plain = await send(port, '/api/auth/session');
    expect(plain.status).toBe(503);
    expect(JSON.parse(plain.text)).toEqual({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.any(String) as string,
      requestId: plain.headers['x-request-id'],
    });
  });

  it('is 504 when it stays silent for the time of its route, and its work is ended', async () => {
    let aborted = false;
    const leads = await startUpstream((_request, response) => {
      response.on('close', () => (aborted = true));
    });
    const { port } = await startGateway([`/api/leads=${leads.url};timeout=${shortSeconds}`]);
    const { status, text } = await send(port, '/api/leads');
    expect(status).toBe(504);
    expect(JSON.parse(text)).toMatchObject(unavailable);
    await eventually(() => aborted);
    expect(leads.requests).toHaveLength(1);
  });

  it('is waited for longer than that while it says that it is at work', async () => {
    const leads = await startUpstream((_request, response) => {
      const timer = setInterval(() => response.writeProcessing(), 100);
      setTimeout(() => {
        clearInterval(timer);
        response.end('done');
      }, 2_500 * shortSeconds);
    });
    const { port } = await startGateway([`/api/leads=${leads.url};timeout=${shortSeconds}`]);
    expect(await send(port, '/api/leads', { method: 'POST', body: 'a,b' })).toMatchObject({
      status: 200,
      text: 'done',
    });
  });

  test.each([
    ['hangs up', ''],
    ['breaks off within the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['does not speak HTTP', 'hello\r\n\r\n'],
    ['upgrades unasked', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['continues unasked', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['speaks another protocol', 'SSH-2.0-OpenSSH\r\n'],
    ['speaks another version', 'HTTP/2 200 OK\r\n\r\n'],
    ['says a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['says a status that means nothing', 'HTTP/1.1 600 OK\r\nContent-Length: 0\r\n\r\n'],
    ['sends a header line without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['sends a header line without a name', 'HTTP/1.1 200 OK\r\n: b\r\n\r\n'],
    ['sends an endless head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
  ])('is 502 when it %s', async (_what, bytes) => {
    const leads = await startRawUpstream((socket) => socket.end(bytes));
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    const { status, text } = await send(port, '/api/leads', { method: 'POST', body: '{}' });
    expect(status).toBe(502);
    expect(JSON.parse(text)).toMatchObject(unavailable);
    expect(leads.received).toHaveLength(1);
  });

  it('says nothing of addresses or reasons to the client, and all to the log [S-139]', async () => {
    const port = await unusedPort();
    const gateway = await startGateway([`/api/leads=http://127.0.0.1:${port}`]);
    const { text } = await send(gateway.port, '/api/leads');
    expect(text).not.toMatch(new RegExp(`:${port}|ECONNREFUSED|127\\.0`));
    expect(gateway.logs()).toContain('ECONNREFUSED');
  });
});

describe('an answer that fails under way', () => {
  test.each([
    ['of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['with a malformed chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n'],
    ['with a negative chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n-1\r\n'],
    [
      'with a prefixed chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0x1\r\na\r\n',
    ],
    ['with too long a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf!\r\n0\r\n\r\n'],
  ])('%s breaks the connection and never looks complete', async (_how, bytes) => {
    const leads = await startRawUpstream((socket) => {
      socket.write(bytes);
      setTimeout(() => socket.destroy(), 30);
    });
    const { port, url } = await startGateway([`/api/leads=${leads.url}`]);
    await expect(fetch(`${url}/api/leads`).then((response) => response.text())).rejects.toThrow();
    const client = new RawClient(port).write(get);
    expect(await client.untilClosed()).not.toMatch(/\r\n0\r\n\r\n$/);
    const oldClient = new RawClient(port).write('GET /api/leads HTTP/1.0\r\n\r\n');
    await oldClient.untilClosed();
    expect(oldClient.error?.code).toBe('ECONNRESET');
  });

  it('falls silent: the connection is broken after the time of the route', async () => {
    const leads = await startRawUpstream((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
    );
    const { port } = await startGateway([`/api/leads=${leads.url};timeout=${shortSeconds}`]);
    expect(await new RawClient(port).write(get).untilClosed()).toMatch(/half$/);
  });
});

describe('sending again', () => {
  /** Hangs up on the first request of each connection but the last. */
  const flaky = (failures: number) =>
    startRawUpstream((socket, _text, index) => {
      if (index <= failures) socket.destroy();
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });

  test.each(['GET', 'HEAD', 'OPTIONS'])('%s happens once when no byte of the answer came', async (method) => {
    const leads = await flaky(1);
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    expect((await send(port, '/api/leads', { method })).status).toBe(200);
    expect(leads.received).toHaveLength(2);
  });

  it('happens no second time', async () => {
    const leads = await flaky(2);
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    expect((await send(port, '/api/leads')).status).toBe(502);
    expect(leads.received).toHaveLength(2);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s never happens [S-160]', async (method) => {
    const leads = await flaky(1);
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    expect((await send(port, '/api/leads', { method })).status).toBe(502);
    expect(leads.received).toHaveLength(1);
  });

  it('never happens with a body, nor after a byte of the answer', async () => {
    const leads = await flaky(1);
    const withBody = await startGateway([`/api/leads=${leads.url}`]);
    const body = { method: 'GET', body: 'x', headers: { 'content-length': '1' } };
    expect((await send(withBody.port, '/api/leads', body)).status).toBe(502);

    const begun = await startRawUpstream((socket) => socket.end('H'));
    const { port } = await startGateway([`/api/leads=${begun.url}`]);
    expect((await send(port, '/api/leads')).status).toBe(502);
    expect(begun.received).toHaveLength(1);
  });
});

describe('several addresses', () => {
  it('share the requests evenly', async () => {
    const answer = (name: string) =>
      startUpstream((_request, response) => {
        response.end(name);
      });
    const [a, b] = await Promise.all([answer('a'), answer('b')]);
    const { port } = await startGateway([`/api/leads=${a.url}|${b.url}`]);
    for (let count = 0; count < 20; count++) await send(port, '/api/leads');
    expect(a.requests.length).toBe(10);
    expect(b.requests.length).toBe(10);
  });

  it('the busier one is spared', async () => {
    let finish = (): unknown => undefined;
    const slow = await startUpstream((_request, response) => {
      finish = () => response.end('slow');
    });
    const fast = await startUpstream((_request, response) => {
      response.end('fast');
    });
    const { port } = await startGateway([`/api/leads=${slow.url}|${fast.url}`]);
    const pending = [send(port, '/api/leads'), send(port, '/api/leads')];
    await eventually(() => slow.requests.length === 1);
    for (let count = 0; count < 10; count++) expect((await send(port, '/api/leads')).text).toBe('fast');
    finish();
    await Promise.all(pending);
    expect(slow.requests).toHaveLength(1);
  });

  it('one that is away costs no request, not even one with a body, and rests for a moment', async () => {
    const away = `http://127.0.0.1:${await unusedPort()}`;
    const alive = await startUpstream((request, response) => {
      request.pipe(response);
    });
    const { port } = await startGateway([`/api/leads=${away}|${alive.url}`]);
    for (let count = 0; count < 10; count++) {
      const { status, text } = await send(port, '/api/leads', { method: 'POST', body: `body ${count}` });
      expect({ status, text }).toEqual({ status: 200, text: `body ${count}` });
    }
  });
});

describe('connections', () => {
  it('are used again', async () => {
    const leads = await startUpstream((_request, response) => {
      response.end('ok');
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    for (let count = 0; count < 20; count++) await send(port, '/api/leads');
    expect(leads.connections).toBe(1);
  });

  it('are not used again when the service closes them, and no request fails for it', async () => {
    const leads = await startUpstream((_request, response) => {
      response.setHeader('connection', 'close');
      response.end('ok');
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    for (let count = 0; count < 5; count++) {
      expect((await send(port, '/api/leads', { method: 'POST', body: '1' })).status).toBe(200);
    }
    expect(leads.connections).toBe(5);
  });

  it('come back by themselves after the service restarts', async () => {
    const first = await startUpstream((_request, response) => {
      response.end('first');
    });
    const { port } = await startGateway([`/api/leads=${first.url}`]);
    expect((await send(port, '/api/leads')).text).toBe('first');
    await stop(first);
    expect((await send(port, '/api/leads')).status).toBe(503);
    await startUpstream((_request, response) => void response.end('second'), first.port);
    expect((await send(port, '/api/leads')).text).toBe('second');
  });
});

it('a service that comes and goes under load leaves no request hanging [S-160]', async () => {
  let service = await startUpstream((_request, response) => void response.end('ok'));
  const { port } = await startGateway([`/api/leads=${service.url}`]);
  let running = true;
  onTestFinished(() => {
    running = false;
  });
  const statuses = new Map<number, number>();
  const load = async (method: string) => {
    while (running) {
      const { status } = await send(
        port,
        '/api/leads',
        method === 'POST' ? { method, body: '{}' } : { method },
      );
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const clients = Array.from({ length: 16 }, (_, index) => load(index % 2 ? 'POST' : 'GET'));
  for (let round = 0; round < 5; round++) {
    await sleep(150);
    await stop(service);
    await sleep(100);
    service = await startUpstream((_request, response) => void response.end('ok'), service.port);
  }
  const before = statuses.get(200) ?? 0;
  await eventually(() => (statuses.get(200) ?? 0) > before + 50);
  running = false;
  await Promise.all(clients);
  expect([...statuses.keys()].every((status) => [200, 502, 503].includes(status))).toBe(true);
});

it('an early answer to a large upload reaches the client', async () => {
  const leads = await startUpstream((_request, response) => {
    response.writeHead(413, { connection: 'close', 'content-length': 9 }).end('too large');
  });
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  const answer = await exchange(
    port,
    `POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n${'x'.repeat(100_000)}`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*too large$/);
});

it('a client that continues an upload after an early response can send again once it is done', async () => {
  // It neither reads on nor closes: an early close may reset the connection before its response has been read.
  const leads = await startRawUpstream((socket, text) => {
    const isUpload = text.startsWith('POST');
    if (isUpload) socket.pause();
    const [status, body] = isUpload ? [413, 'too large'] : [200, 'get'];
    socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
  const { port } = await startGateway([`/api/leads=${leads.url}`]);
  const half = 'x'.repeat(8 * 1024 * 1024);
  const client = new RawClient(port).write(
    `POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: ${2 * half.length}\r\n\r\n${half}`,
  );
  await client.until(/too large$/);
  client.write(`${half}GET /api/leads HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  expect(await client.untilClosed()).toMatch(/get$/);
});

it('a service that stops reading an upload is given up after the time of the route', async () => {
  const leads = await startUpstream((request) => void request.pause());
  const { port } = await startGateway([`/api/leads=${leads.url};timeout=${shortSeconds}`]);
  const client = new RawClient(port).write(
    'POST /api/leads HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const megabyte = 1024 * 1024;
  for (let count = 0; count < 40; count++) client.write(`100000\r\n${'x'.repeat(megabyte)}\r\n`);
  expect(await client.until(/UPSTREAM_UNAVAILABLE/)).toMatch(/^HTTP\/1\.1 504 /);
});

it('an upload that takes longer than the time of the route, and never stalls, arrives', async () => {
  const leads = await startUpstream((request, response) => {
    let length = 0;
    request.on('data', (piece: Buffer) => (length += piece.length));
    request.on('end', () => response.end(String(length)));
  });
  const { port } = await startGateway([`/api/leads=${leads.url};timeout=1`]);
  const client = new RawClient(port).write(
    'POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 15\r\nConnection: close\r\n\r\n',
  );
  for (let count = 0; count < 15; count++) {
    client.write('x');
    await sleep(100);
  }
  expect(await client.untilClosed()).toMatch(/^HTTP\/1\.1 200 [^]*\r\n15(\r\n|$)/);
});
