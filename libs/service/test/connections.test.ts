import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ApiError } from '@tenantry/envelope';
import { patience } from '@tenantry/test-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { clientSignal } from '@tenantry/service/failures';
import {
  acceptStreamOnly,
  readBytes,
  readPieces,
  type Service,
  type ServiceOptions,
} from '@tenantry/service/http';
import { textOf } from '@tenantry/service/validation';
import { buildFixture, ThingBody } from './fixture.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
const access = 'public';

async function listen(routes: (app: Service) => void, options: Partial<ServiceOptions> = {}) {
  const { app, logs } = await buildFixture(options, routes);
  await app.listen({ host: '127.0.0.1', port: 0 });
  cleanups.push(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return { port: (app.server.address() as AddressInfo).port, logs };
}

/** A raw connection that remembers what it reads, and why it ended. */
function open(port: number) {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const client = { socket, received: '', error: undefined as Error | undefined };
  socket.on('data', (data) => (client.received += data.toString('latin1')));
  socket.on('error', (error) => (client.error = error));
  cleanups.push(() => socket.destroy());
  return client;
}

async function eventually(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + patience();
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a request that is not HTTP [S-161]', () => {
  const garbage = 'hello\r\n\r\n';
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;

  it('does not break into an answer that is under way, which is finished before the connection ends', async () => {
    const body = new Readable({ read: () => undefined });
    const { port } = await listen((app) => {
      app.get('/stream', { config: { access } }, (_request, reply) => reply.type('text/csv').send(body));
    });
    const client = open(port);
    client.socket.write(get('/stream'));
    body.push('first line\n');
    await eventually(() => client.received.includes('first line'));
    client.socket.write(garbage);
    await new Promise((resolve) => setTimeout(resolve, 50));
    body.push('last line\n');
    body.push(null);
    await eventually(() => client.socket.closed);
    expect(client.received).toMatch(/last line\n\r\n0\r\n\r\n$/);
    expect(client.received).not.toContain('400');
  });

  it('is not answered in place of a request that came before it', async () => {
    const answers: (() => void)[] = [];
    const { port } = await listen((app) => {
      app.get('/slow', { config: { access } }, async () => {
        await new Promise<void>((resolve) => answers.push(resolve));
        return 'done';
      });
    });
    const client = open(port);
    client.socket.write(get('/slow'));
    client.socket.write(get('/slow'));
    client.socket.write(garbage);
    await eventually(() => answers.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.received).toBe('');
    for (const answer of answers) answer();
    await eventually(() => client.socket.closed);
    expect(client.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(client.received).not.toContain('400');
  });
});

describe('what node:http would refuse by itself', () => {
  const answerTo = async (text: string, failures: 'envelope' | 'plain' = 'envelope') => {
    const things = (app: Service) => {
      app.post('/things', { config: { access }, schema: { body: ThingBody } }, async () => 'done');
    };
    const { port, logs } = await listen(things, { failures });
    const client = open(port);
    client.socket.write(text);
    await eventually(() => client.socket.closed || /\r\n\r\n./.test(client.received));
    const [head = '', body = ''] = client.received.split('\r\n\r\n');
    expect(head).toContain('x-content-type-options: nosniff');
    expect(logs()).not.toContain('"level":"warn"');
    return { head, ...(JSON.parse(body) as { code?: string; error?: { code: string } }) };
  };

  it.each([
    ['no Host', 'GET /things HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['no Host at no route', 'GET /nowhere HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['an expectation', 'POST /things HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n', 417, 'EXPECTATION_FAILED'],
    ['a tunnel', 'CONNECT h:22 HTTP/1.1\r\nHost: h\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['no HTTP', 'hello\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['no version of HTTP', 'GET / HTTP/9.9\r\nHost: h\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'a large head',
      `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a broken chunk',
      'POST /things HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'VALIDATION_ERROR',
    ],
  ])('%s has a body in the shape of the service [S-140]', async (_what, text, status, code) => {
    const enveloped = await answerTo(text);
    expect(enveloped.head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(enveloped.error?.code).toBe(code);
    expect((await answerTo(text, 'plain')).code).toBe(code);
  });

  it('is written as the path says, and counted by its peer', async () => {
    const counted: string[] = [];
    const { port } = await listen(() => undefined, {
      failures: (path) => (path === '/plain' ? 'plain' : 'envelope'),
      countBroken: async (peer) => {
        if (counted.push(peer) > 2) throw new ApiError('RATE_LIMITED', 'Too many requests.');
      },
    });
    const ask = async (path: string) => {
      const client = open(port);
      client.socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n`);
      await eventually(() => /\r\n\r\n./.test(client.received));
      return client.received;
    };
    expect(await ask('/plain')).toMatch(/^HTTP\/1\.1 400 [^]*\{"code":"VALIDATION_ERROR"/);
    expect(await ask('/other')).toMatch(/^HTTP\/1\.1 400 [^]*"error":\{"code":"VALIDATION_ERROR"/);
    expect(await ask('/plain')).toMatch(/^HTTP\/1\.1 429 Too Many Requests[^]*\{"code":"RATE_LIMITED"/);
    expect(counted).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  });
});

describe('a client that goes away in the middle of its body', () => {
  it.each(['/things', '/files'])('is no fault of the service: %s [S-140]', async (path) => {
    let begun = false;
    const { port, logs } = await listen((app) => {
      app.addHook('onRequest', async () => void (begun = true));
      app.post('/things', { config: { access }, schema: { body: ThingBody } }, async () => 'done');
      void app.register(async (scope) => {
        acceptStreamOnly(scope, 'application/json');
        scope.post('/files', { config: { access, streams: 'application/json' } }, async (request) => {
          for await (const text of textOf(readPieces(request, { bytesMax: 100 }))) expect(text).toBe('{');
        });
      });
    });
    const client = open(port);
    client.socket.write(
      `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
    );
    await eventually(() => begun);
    client.socket.resetAndDestroy();
    await eventually(() => logs().includes('"complete":false'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(logs()).not.toMatch(/"level":"(?:warn|error|fatal)"/);
  });
});

describe('a body', () => {
  const routes = (app: Service): void => {
    app.post('/things', { config: { access }, schema: { body: ThingBody } }, async () => 'done');
  };
  const bodyPace = {
    graceMs: patience(300),
    bytesPerSecondMin: 50,
    lingerMs: 10_000,
    totalMs: { file: patience(60_000), other: patience(60_000) },
  };
  const head = (length: number) =>
    `POST /things HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  async function sendSlowly(port: number, bytesEach: number) {
    const client = open(port);
    const body = '{"name":"a"}'.padEnd(120);
    client.socket.write(head(body.length));
    for (let at = 0; at < body.length && !client.socket.closed && client.received === ''; at += bytesEach) {
      client.socket.write(body.slice(at, at + bytesEach));
      await new Promise((resolve) => setTimeout(resolve, patience(60)));
    }
    await eventually(() => client.received !== '');
    return client.received;
  }

  it('may take as long as it makes progress [S-144]', async () => {
    const { port } = await listen(routes, { bodyPace: { ...bodyPace, bytesPerSecondMin: 0.1 } });
    expect(await sendSlowly(port, 8)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('that never ends is cut when its time is up, at whatever pace, and its connection is closed [S-143]', async () => {
    const pace = { ...bodyPace, bytesPerSecondMin: 0.1, totalMs: { file: 60_000, other: 200 } };
    const { port } = await listen(routes, { bodyPace: pace });
    const client = open(port);
    client.socket.write(head(60_000));
    await eventually(() => {
      if (client.received === '') client.socket.write(' '.repeat(20));
      return client.received !== '';
    });
    expect(client.received).toMatch(/^HTTP\/1\.1 408 [^]*connection: close[^]*REQUEST_TIMEOUT/i);
    await eventually(() => client.socket.closed);
  });

  it('that came while the process stood still is not cut', async () => {
    let onBegin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (onBegin = resolve));
    const watched = (app: Service): void => {
      app.addHook('onRequest', async () => onBegin());
      routes(app);
    };
    const pace = { ...bodyPace, totalMs: { file: 60_000, other: 50 } };
    const { port } = await listen(watched, { bodyPace: pace });
    const client = open(port);
    const body = '{"name":"a"}';
    client.socket.write(head(body.length));
    await begun;
    client.socket.write(body);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    await eventually(() => client.received !== '');
    expect(client.received).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('may take longer where it is a file [S-143]', async () => {
    const pace = { ...bodyPace, bytesPerSecondMin: 0.1, totalMs: { file: patience(60_000), other: 1 } };
    const { port } = await listen(
      (app) => {
        acceptStreamOnly(app, 'text/csv');
        const config = { access, streams: 'text/csv' } as const;
        app.post(
          '/things',
          { config },
          async (request) => (await readBytes(request, { bytesMax: 100 })).length,
        );
      },
      { bodyPace: pace },
    );
    const client = open(port);
    client.socket.write(head(40).replace('application/json', 'text/csv'));
    for (let part = 0; part < 4; part += 1) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      client.socket.write('name,email'.padEnd(10));
    }
    await eventually(() => client.received !== '');
    expect(client.received).toMatch(/^HTTP\/1\.1 200 [^]*40$/);
  });

  it('that trickles is cut, and the log says how it ended [S-144]', async () => {
    const { port, logs } = await listen(routes, { bodyPace });
    expect(await sendSlowly(port, 1)).toMatch(/^HTTP\/1\.1 408 [^]*REQUEST_TIMEOUT/);
    await eventually(() => logs().includes('"status":408'));
  });

  it('that is too large is refused, and the refusal is not lost to a reset while it is still being sent', async () => {
    const { port } = await listen(routes);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const client = open(port);
      client.socket.write(head(4_000_000));
      for (let part = 0; part < 40; part += 1) {
        client.socket.write('x'.repeat(100_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await eventually(() => client.received.includes('PAYLOAD_TOO_LARGE'));
      expect(client.received).toMatch(/^HTTP\/1\.1 413 /);
      expect(client.error).toBeUndefined();
    }
  });

  it.each([
    ['ends', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'is no failure of the service or its database where the client %s the connection in it',
    async (_, leave) => {
      let begun = false;
      const { port, logs } = await listen((app) => {
        app.addHook('onRequest', async () => void (begun = true));
        routes(app);
      });
      const client = open(port);
      client.socket.write(`${head(100)}{"name":`);
      await eventually(() => begun);
      leave(client.socket);
      await eventually(() => logs().includes('"complete":false'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(logs()).not.toMatch(/"level":"(warn|error|fatal)"/);
    },
  );

  it('is dropped for a while only once its request is refused', async () => {
    const { port } = await listen(routes, { bodyPace: { ...bodyPace, lingerMs: 1_000 } });
    const client = open(port);
    client.socket.write(head(4_000_000));
    await eventually(() => client.received.includes('PAYLOAD_TOO_LARGE'));
    await eventually(() => client.socket.closed);
  });
});

describe('work that ends with its client', () => {
  it('continues while the client waits, and is aborted when it disconnects [S-171]', async () => {
    const signals: AbortSignal[] = [];
    const { port, logs } = await listen((app) => {
      app.get('/slow', { config: { access } }, async (_request, reply) => {
        const signal = clientSignal(reply);
        signals.push(signal);
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      });
      app.get('/quick', { config: { access } }, async (_request, reply) => {
        signals.push(clientSignal(reply));
        return 'done';
      });
    });
    const [waiting, answered] = [open(port), open(port)];
    answered.socket.write('GET /quick HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    await eventually(() => answered.socket.closed);
    waiting.socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n');
    await eventually(() => signals.length === 2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    waiting.socket.destroy();
    await eventually(() => signals[1]?.aborted === true);
    expect(signals[0]?.aborted).toBe(false);
    await eventually(() => logs().includes('"complete":false'));
    expect(logs()).not.toMatch(/"level":"(warn|error|fatal)"/);
  });
});

describe('an answer', () => {
  const megabytes = 16 * 1024 * 1024;
  const routes = (app: Service): void => {
    app.get('/large', { config: { access } }, async () => Buffer.alloc(megabytes, 'x'));
  };
  const readPace = { graceMs: patience(400), bytesPerSecondMin: 1_000_000 };

  it('that its client does not read is not kept for it [S-144]', async () => {
    const { port, logs } = await listen(routes, { readPace });
    const client = open(port);
    client.socket.pause().write('GET /large HTTP/1.1\r\nHost: h\r\n\r\n');
    await eventually(() => logs().includes('"complete":false'));
  });

  it('may be read as slowly as it makes progress', async () => {
    // What the client takes pays for an hour; only its first reading is held to the grace.
    const { port } = await listen(routes, { readPace: { graceMs: patience(400), bytesPerSecondMin: 10 } });
    const client = open(port);
    let read = 0;
    client.socket.removeAllListeners('data').on('data', (data) => {
      read += data.length;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), patience(5));
    });
    client.socket.write('GET /large HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    await eventually(() => client.socket.closed);
    expect(read).toBeGreaterThan(megabytes);
  });
});

describe('the log of a request', () => {
  it('tells of one that its client broke off', async () => {
    let arrived = false;
    const { port, logs } = await listen((app) => {
      app.get('/slow', { config: { access } }, () => {
        arrived = true;
        return new Promise(() => undefined);
      });
    });
    const client = open(port);
    client.socket.write('GET /slow?secret=canary HTTP/1.1\r\nHost: h\r\n\r\n');
    await eventually(() => arrived);
    client.socket.destroy();
    await eventually(() => logs().includes('"complete":false'));
    expect(logs()).toMatch(/"path":"\/slow","ip":"127\.0\.0\.1"/);
    expect(logs()).not.toContain('canary');
  });
});

describe('the client behind a proxy', () => {
  const addressOf = async (
    forwarded: string | undefined,
    trustProxy: readonly string[] = ['127.0.0.0/8'],
  ) => {
    const { app } = await buildFixture({ trustProxy }, (service) => {
      service.get('/ip', { config: { access } }, async ({ ip }) => ({ ip }));
    });
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const answer = await app.inject({ url: '/ip', headers });
    await app.close();
    return answer.json<{ ip: string }>().ip;
  };

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:5678', '198.51.100.7'],
    ['[2001:db8::7]:5678', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['6.6.6.6, 198.51.100.7:1, 127.0.0.9:80', '198.51.100.7'],
    ['198.51.100.7, <script>', '127.0.0.1'],
    ['198.51.100.7, unknown, 127.0.0.9', '127.0.0.9'],
    ['', '127.0.0.1'],
    [undefined, '127.0.0.1'],
  ])('is for X-Forwarded-For %j %s [S-25]', async (forwarded, address) => {
    expect(await addressOf(forwarded)).toBe(address);
  });

  it('is the peer, whatever one that is not trusted says [S-25]', async () => {
    expect(await addressOf('198.51.100.7:5678', [])).toBe('127.0.0.1');
    expect(await addressOf('198.51.100.7:5678', ['10.0.0.0/8'])).toBe('127.0.0.1');
  });

  it('is logged for a request whose body is not read to its end, and the process continues', async () => {
    const routes = (service: Service) => {
      void service.register(async (scope) => {
        acceptStreamOnly(scope, 'text/csv');
        scope.post('/files', { config: { access, streams: 'text/csv' } }, async (request) => {
          for await (const text of textOf(readPieces(request, { bytesMax: 1 }))) expect(text).toBe('');
        });
      });
    };
    const { port, logs } = await listen(routes, { trustProxy: ['127.0.0.0/8'] });
    const url = `http://127.0.0.1:${port}`;
    const headers = { 'content-type': 'text/csv', 'x-forwarded-for': '198.51.100.7' };
    for (let n = 0; n < 3; n += 1) {
      const { status } = await fetch(`${url}/files`, { method: 'POST', headers, body: 'a,b' });
      expect(status).toBe(413);
    }
    await eventually(() => logs().split('"ip":"198.51.100.7"').length > 3);
  });

  it('is not looked for behind what is no range', async () => {
    await expect(addressOf(undefined, ['not-an-address'])).rejects.toThrow('TRUST_PROXY');
  });
});
