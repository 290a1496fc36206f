import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** What a service tells the process that has started it. */
export type ReadinessMessage =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: string | undefined };

/** The side of a process that its parent hears. */
interface Channel {
  readonly connected: boolean;
  readonly send?: (message: ReadinessMessage) => boolean;
}

const pauseMs = 40;

/**
 * Tells the process that has started this one, over the channel between them, once the service is ready, and until then why it
 * is not. What answers at its port could be somebody else.
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
