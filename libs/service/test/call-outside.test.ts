import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callOutside } from '@tenantry/service/calls';
import { describe, expect, it, onTestFinished } from 'vitest';

const bounds = { timeoutMs: 30_000, bytesMax: 1_000 };

/** A server of somebody else's. @returns its address */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a call to a server of others', () => {
  it('comes with its status, headers and body', async () => {
    const url = await serve((request, response) => {
      response.writeHead(201, { 'content-type': 'text/plain', 'x-method': String(request.method) });
      response.end('x'.repeat(bounds.bytesMax));
    });
    const answer = await callOutside('ask', url, { ...bounds, method: 'POST', body: 'y' });
    expect([answer.status, answer.headers.get('x-method')]).toEqual([201, 'POST']);
    expect(await answer.text()).toHaveLength(bounds.bytesMax);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['says nothing', () => undefined],
    ['stops in the middle of its body', (response) => void response.write('{')],
    [
      'drips its body',
      (response) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => {
          clearInterval(drip);
        });
      },
    ],
  ])('ends at its time where the server %s', async (_, answer) => {
    const url = await serve((_request, response) => {
      answer(response);
    });
    const call = callOutside('ask', url, { timeoutMs: 150, bytesMax: 1_000_000 });
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends when its caller gives up', async () => {
    const url = await serve(() => undefined);
    const call = callOutside('ask', url, { ...bounds, signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reads no more than it may, and hangs up [S-48]', async () => {
    let sent = 0;
    let isOpen = true;
    const url = await serve((_request, response) => {
      response.on('close', () => {
        isOpen = false;
      });
      const more = (): void => {
        sent += 64 * 1_024;
        if (!response.destroyed && sent < 50_000_000) response.write('x'.repeat(64 * 1_024), more);
      };
      more();
    });
    await expect(callOutside('ask', url, bounds)).rejects.toThrow(RangeError);
    await expect.poll(() => isOpen).toBe(false);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await expect(callOutside('ask', url, bounds)).rejects.toThrow(TypeError);
    expect(asked).toEqual(['/']);
  });
});
