import { expect, it } from 'vitest';
import { announceReadiness, type ReadinessMessage } from '../src/health/announced-readiness.ts';
import { buildFixture } from './fixture.ts';

/** The channel to the process that has started this one. */
function channel() {
  const messages: ReadinessMessage[] = [];
  return { connected: true, messages, send: (message: ReadinessMessage) => messages.push(message) > 0 };
}

it('a service says once why it is not ready, and then that it is', async () => {
  let asked = 0;
  const unreadyBecause = async () => ((asked += 1) < 4 ? 'the directory has not been read yet' : undefined);
  const { app } = await buildFixture({ unreadyBecause, needsDatabase: false });
  const parent = channel();
  await announceReadiness(parent, app);
  expect(parent.messages).toEqual([
    { ready: false, reason: 'the directory has not been read yet' },
    { ready: true },
  ]);
});

it('a service says nothing more to a process that is gone', async () => {
  const { app } = await buildFixture({ unreadyBecause: async () => 'never', needsDatabase: false });
  const parent = channel();
  const announced = announceReadiness(parent, app);
  parent.connected = false;
  await announced;
  expect(parent.messages).toHaveLength(1);
});
