import { createFixture, type Fixture } from './fixture/database.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Notifications } from '../../src/work/notifications.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

it.each(['at once', 'in the next turn'])(
  'listening ends when it is closed %s, while it connects',
  async (when) => {
    const failures: unknown[] = [];
    const notifications = new Notifications({
      connectionString: fixture.testDatabase.runtimeUrl,
      channel: 'due_work',
      onNotification: () => undefined,
      onFailure: (error) => failures.push(error),
    });
    notifications.start();
    if (when !== 'at once') await new Promise((resolve) => setImmediate(resolve));
    await notifications.close();
    expect(failures).toEqual([]);
  },
);
