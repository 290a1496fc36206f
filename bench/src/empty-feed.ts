import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The feed of an auth-service where nothing happens: what a service that reads events needs to be ready. */
export async function startEmptyFeed(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://feed');
    const answer = (): void => {
      const body = JSON.stringify({ cursor: 'end', entries: [] });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    };
    setTimeout(answer, Number(searchParams.get('wait')) * 1_000);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
