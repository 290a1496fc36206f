import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { AddressRefused, GuardedCalls } from '@tenantry/service/guarded';
import { describe, expect, it, onTestFinished } from 'vitest';

/** A server on this machine, and how many connections reached it. */
async function serve(answer: RequestListener) {
  let connections = 0;
  const server = createServer(answer).on('connection', () => (connections += 1));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, connections: () => connections };
}

const nobody = async () => {
  throw new Error('no name is looked up');
};

describe('an address that a customer names [S-206]', () => {
  it.each([
    ['http', 'http://idp.example.com/'],
    ['another scheme', 'ftp://idp.example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['another port', 'https://idp.example.com:8080/'],
    ['a port of a database', 'https://idp.example.com:5432/'],
    ['a user', 'https://user@idp.example.com/'],
    ['a password', 'https://:secret@idp.example.com/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback as a number', 'https://2130706433/'],
    ['loopback in hexadecimal', 'https://0x7f.1/'],
    ['loopback in octal', 'https://0177.0.0.1/'],
    ['loopback in full width', 'https://１２７.0.0.1/'],
    ['this host', 'https://0/'],
    ['a private network', 'https://10.1.2.3/'],
    ['metadata of a cloud', 'https://169.254.169.254/latest/meta-data/'],
    ['carrier-grade NAT', 'https://100.100.100.200/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['IPv4 in IPv6, as browsers write it', 'https://[::ffff:a9fe:a9fe]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['unique local', 'https://[fd00:ec2::254]/'],
    ['link-local', 'https://[fe80::1]/'],
  ])('is refused before a look-up: %s', async (_, url) => {
    const calls = new GuardedCalls({ addressesOf: nobody });
    await expect(calls.call('ask', url)).rejects.toThrow(AddressRefused);
  });

  it.each([
    ['a private one', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.1']],
    ['a public one and then a private one', ['1.1.1.1', '192.168.0.1']],
    ['a private one and then a public one', ['fd00::1', '2606:4700:4700::1111']],
  ])('is refused where its name has %s', async (_, addresses) => {
    const calls = new GuardedCalls({ addressesOf: async () => addresses });
    await expect(calls.call('ask', 'https://idp.example.com/')).rejects.toThrow(AddressRefused);
  });

  it('is looked up for each call, and refused once its name has a private address', async () => {
    const server = await serve((_request, response) => response.end());
    const answers: string[][] = [[], ['127.0.0.1'], ['127.0.0.1']];
    const asked: string[] = [];
    const addressesOf = async (hostname: string) => {
      asked.push(hostname);
      return answers.shift() ?? [];
    };
    const calls = new GuardedCalls({ addressesOf });
    await expect(calls.call('ask', 'https://idp.example.com/')).rejects.toThrow(TypeError);
    await expect(calls.call('ask', 'https://idp.example.com/')).rejects.toThrow(AddressRefused);
    expect([asked, server.connections()]).toEqual([['idp.example.com', 'idp.example.com'], 0]);
  });

  it('is not called where its name cannot be looked up', async () => {
    const calls = new GuardedCalls({ addressesOf: nobody });
    await expect(calls.call('ask', 'https://idp.example.com/')).rejects.toThrow(TypeError);
  });

  it('counts as of this machine only by its whole origin', async () => {
    const server = await serve((_request, response) => response.end());
    const calls = new GuardedCalls({ addressesOf: nobody, loopbackOrigins: [server.origin] });
    for (const url of [
      server.origin.replace('127.0.0.1', '127.0.0.2'),
      server.origin.replace('http', 'https'),
      `http://127.0.0.1:${server.port === 65_535 ? 1_024 : server.port + 1}`,
      server.origin.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    ]) {
      await expect(calls.call('ask', url)).rejects.toThrow(AddressRefused);
    }
    expect((await calls.call('ask', server.origin)).status).toBe(200);
  });

  it('is not of this machine because a setting says so', async () => {
    const origins = ['http://10.0.0.1', 'https://idp.example.com'];
    const calls = new GuardedCalls({ addressesOf: nobody, loopbackOrigins: origins });
    for (const origin of origins) await expect(calls.call('ask', origin)).rejects.toThrow(AddressRefused);
  });
});

describe('a call to it [S-206]', () => {
  async function callTo(answer: RequestListener, timeoutMs?: number) {
    const server = await serve(answer);
    const options = { loopbackOrigins: [server.origin], ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    return { ...server, calls: new GuardedCalls(options) };
  }

  it('sends method, headers and body, and comes with status, headers and body', async () => {
    const { origin, calls } = await callTo((request, response) => {
      void request.toArray().then((pieces) => {
        response.writeHead(201, { 'x-seen': `${request.method} ${request.headers['content-type']}` });
        response.end(Buffer.concat(pieces as Buffer[]));
      });
    });
    const answer = await calls.call('ask', origin, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    expect([answer.status, answer.headers.get('x-seen'), await answer.text()]).toEqual([
      201,
      'POST application/x-www-form-urlencoded;charset=UTF-8',
      'a=b',
    ]);
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const { origin, calls } = await callTo((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await expect(calls.call('ask', origin)).rejects.toThrow(TypeError);
    expect(asked).toEqual(['/']);
  });

  it.each<[string, RequestListener]>([
    ['says nothing', () => undefined],
    ['stops in the middle of its body', (_request, response) => void response.write('{')],
    [
      'drips its body',
      (_request, response) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => {
          clearInterval(drip);
        });
      },
    ],
  ])('ends at its time where the server %s', async (_, answer) => {
    const { origin, calls } = await callTo(answer, 150);
    await expect(calls.call('ask', origin)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('reads 256 KiB at most', async () => {
    const { origin, calls } = await callTo((request, response) => {
      response.end(Buffer.alloc(request.url === '/whole' ? 256 * 1_024 : 256 * 1_024 + 1, 'x'));
    });
    expect(await (await calls.call('ask', `${origin}/whole`)).text()).toHaveLength(256 * 1_024);
    await expect(calls.call('ask', `${origin}/more`)).rejects.toThrow(RangeError);
  });

  it.each(['gzip', 'br', 'gzip, gzip'])(
    'unpacks nothing, so that what unpacks to nothing is not read on: %s',
    async (encoding) => {
      const asked: unknown[] = [];
      const empty = gzipSync(Buffer.alloc(0));
      const { origin, calls } = await callTo((request, response) => {
        asked.push(request.headers['accept-encoding']);
        response.writeHead(200, { 'content-encoding': encoding });
        // Without end: it never gets to 256 KiB.
        const more = () => {
          while (!response.destroyed && response.write(empty));
        };
        response.on('drain', more);
        more();
      });
      await expect(calls.call('ask', origin)).rejects.toThrow(new TypeError('the answer is compressed'));
      expect(asked).toEqual(['identity']);
    },
  );

  it('leaves no connection that a later one would use', async () => {
    const { origin, calls, connections } = await callTo((_request, response) => response.end('{}'));
    await calls.call('ask', origin);
    await calls.call('ask', origin);
    expect(connections()).toBe(2);
  });

  it('is not made where the certificate is not trusted, or is for another name', async () => {
    let requests = 0;
    const [key, cert] = ['key', 'cert'].map((kind) =>
      readFileSync(new URL(`localhost.${kind}.pem`, tls), 'utf8'),
    );
    const server = createTlsServer({ key, cert }, (_request, response) => {
      requests += 1;
      response.end();
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const origins = [`https://localhost:${port}`, `https://127.0.0.1:${port}`] as const;
    const calls = new GuardedCalls({ loopbackOrigins: origins });
    const ask = async () =>
      Promise.all(origins.map((origin) => calls.call('ask', origin).then(() => 'answered', causeOf)));
    expect(await ask()).toEqual(['DEPTH_ZERO_SELF_SIGNED_CERT', 'DEPTH_ZERO_SELF_SIGNED_CERT']);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, String(cert)]);
    onTestFinished(() => {
      setDefaultCACertificates(trusted);
    });
    expect(await ask()).toEqual(['answered', 'ERR_TLS_CERT_ALTNAME_INVALID']);
    expect(requests).toBe(1);
  });
});

const tls = new URL('../../../../apps/gateway/test/support/tls/', import.meta.url);

const causeOf = (error: unknown): string =>
  String(((error as Error).cause as { readonly code?: unknown } | undefined)?.code);
