import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Messages of a service to its parent process. */
export type ReadinessMessage =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: string | undefined };

/** The part of a process that talks to its parent. */
interface Channel {
  readonly connected: boolean;
  readonly send?: (message: ReadinessMessage) => boolean;
}

const pauseMs = 40;

/**
 * Tells the parent process over their IPC channel when the service is ready, and until then why it is not. Its port could be
 * answered by another process.
 */
export async function announceReadiness(channel: Channel, service: FastifyInstance): Promise<void> {
  let told: string | undefined;
  while (channel.connected) {
    const answer = await service.inject({ url: '/api/health/ready' });
    if (answer.statusCode === 200) {
      channel.send?.({ ready: true });
      return;
    }
    const { reason } = answer.json<{ reason?: string }>();
    if (reason !== told) channel.send?.({ ready: false, reason: (told = reason) });
    await sleep(pauseMs);
  }
}
