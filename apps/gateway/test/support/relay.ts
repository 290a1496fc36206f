import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A relay to a port that can be made to hang: what is sent arrives nowhere and nothing is answered. */
export interface Relay {
  readonly port: number;
  /** Everything that was sent to the port. */
  sent(): string;
  hang(): void;
  resume(): void;
}

export async function startRelay(target: number): Promise<Relay> {
  let hanging = false;
  let sent = '';
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: target });
    client.on('data', (data) => (sent += data.toString('latin1')));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!hanging) to.write(data);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    sent: () => sent,
    hang: () => void (hanging = true),
    resume: () => void (hanging = false),
  };
}
