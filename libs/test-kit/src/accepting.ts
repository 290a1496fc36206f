import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const startTimeoutMs = 10_000;

/** Waits until something listens on the port. */
export async function accepting(port: number): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    } finally {
      socket.destroy();
    }
  }
}
