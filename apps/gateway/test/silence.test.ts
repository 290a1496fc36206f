import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { ClientSilent, RequestBody } from '../src/proxy/request-body.ts';
import { readSmallBody } from '../src/proxy/small-body.ts';

const silenceMsMax = 50;
const { signal } = new AbortController();
const readers = {
  'a small body': async (request: IncomingMessage) =>
    String(await readSmallBody(request, { silenceMsMax, signal })),
  'an upload': (request: IncomingMessage) => text(new RequestBody(request, silenceMsMax)),
};

/** Keeps the process from doing anything else. */
function standStill(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

/** Reads a body of which only the first byte has come. @param then what happens once it is being read */
async function read(reader: (request: IncomingMessage) => Promise<string>, then: (send: () => void) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, noDelay: true });
  client.on('error', () => undefined).write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na');
  return new Promise<string>((resolve, reject) => {
    server.once('request', (request) => {
      reader(request).then(resolve, reject);
      setImmediate(then, () => client.write('b'));
    });
  });
}

it.each(Object.entries(readers))(
  '%s whose rest came while the process stood still is read, however long that was',
  async (_what, reader) => {
    const whole = read(reader, (send) => {
      send();
      standStill(2 * silenceMsMax);
    });
    expect(await whole).toBe('ab');
  },
);

it.each(Object.entries(readers))('%s whose rest does not come is given up', async (_what, reader) => {
  await expect(read(reader, () => undefined)).rejects.toThrow(ClientSilent);
});
