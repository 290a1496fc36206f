import { setTimeout as sleep } from 'node:timers/promises';
import { refusal, startTestService, type TestServiceOptions } from '@tenantry/service-tests';
import type { RouteAccess, Service } from '@tenantry/service/http';
import type { BackgroundWork } from '@tenantry/service/work';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notesOf, notesService } from './fixture/notes-service.ts';

async function start(service = notesService(), options: TestServiceOptions = {}) {
  const running = await startTestService(service, options);
  onTestFinished(() => running.close());
  return running;
}

describe('the rows of a request', () => {
  it('are those of the caller’s organization', async () => {
    const running = await start();
    const [mine, theirs] = [await running.member(), await running.member()];
    expect((await theirs.send('POST', '/api/notes', { body: { text: 'theirs' } })).status).toBe(201);
    expect((await mine.send('GET', '/api/notes')).body).toMatchObject({ data: { notes: [] } });
    expect((await theirs.send('GET', '/api/notes')).body).toMatchObject({
      data: { notes: [{ text: 'theirs' }] },
    });
  });

  it('are of no organization on a public route, and refused without an active organization', async () => {
    const running = await start();
    const member = await running.member();
    expect(refusal(await member.send('GET', '/api/notes/of/everyones'))).toMatchObject({ status: 500 });
    const nowhere = await running.issuer.token({ organizationId: undefined, role: undefined });
    const refused = refusal(await running.caller(`Bearer ${nowhere}`).send('GET', '/api/notes/of/mine'));
    expect(refused).toMatchObject({ status: 403, code: 'NO_ACTIVE_ORGANIZATION' });
  });
});

describe('permissions [S-113]', () => {
  const shredding = (access: RouteAccess) => ({
    features: () => ({
      routes: [
        (app: Service) => {
          const schema = { operationId: 'shredNotes', response: { 200: Type.Object({}) } };
          app.get('/api/notes/shred', { config: { access }, schema }, async () => ({}));
        },
      ],
    }),
  });

  it('are carried by the roles that the table names', async () => {
    const running = await start(notesService(shredding('leads:erase')));
    const statusOf = async (role: string) =>
      (await (await running.member({ role })).send('GET', '/api/notes/shred')).status;
    const statuses = ['owner', 'admin', 'member', 'guest'].map(statusOf);
    expect(await Promise.all(statuses)).toEqual([200, 200, 403, 403]);
  });

  it('keep the service from starting where the table does not name them', async () => {
    const service = notesService(shredding('leads:erace' as 'leads:erase'));
    await expect(startTestService(service)).rejects.toThrow("No permission is named 'leads:erace'");
  });
});

it('features are given the settings of the service and its clock', async () => {
  const now = () => new Date('2026-02-03T04:05:06.000Z');
  const running = await start(notesService(), { env: { NOTE_COLOR: 'blue' }, now });
  const { body } = await (await running.member()).send('GET', '/api/notes');
  expect(body).toMatchObject({ data: { color: 'blue', at: '2026-02-03T04:05:06.000Z' } });
});

it('a setting that is not valid keeps the service from starting', async () => {
  await expect(startTestService(notesService(), { env: { NOTE_COLOR: 'red' } })).rejects.toThrow(
    'NOTE_COLOR',
  );
});

describe('background work', () => {
  it('runs from before the first request until after the last, with the database still open', async () => {
    const happened: string[] = [];
    const service = notesService({
      features: (parts) => ({
        routes: [
          (app) =>
            void app.get(
              '/api/notes/slow',
              {
                config: { access: 'leads:read' },
                schema: { operationId: 'slowNotes', response: { 200: Type.Object({}) } },
              },
              async () => {
                happened.push('request begins');
                await sleep(200);
                happened.push('request ends');
                return {};
              },
            ),
        ],
        background: [
          {
            start: () => void happened.push('work starts'),
            async close() {
              await parts.database.check();
              happened.push('work closes');
            },
          },
        ],
      }),
    });
    const running = await startTestService(service);
    const url = await running.app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${await running.issuer.token()}` };
    const answer = fetch(`${url}/api/notes/slow`, { headers });
    await expect.poll(() => happened).toContain('request begins');
    running.app.drain();
    await running.close();
    expect((await answer).status).toBe(200);
    expect(happened).toEqual(['work starts', 'request begins', 'request ends', 'work closes']);
  });

  it('that cannot continue takes the service out of rotation, and says why', async () => {
    let reason: string | undefined = 'the feed is behind';
    const work: BackgroundWork = {
      start: () => undefined,
      close: async () => undefined,
      unreadyBecause: async () => reason,
    };
    const running = await start(
      notesService({ features: (parts) => ({ ...notesOf(parts), background: [work] }) }),
    );
    const ready = () => running.caller().send('GET', '/api/health/ready');
    // The verifier reads its keys first.
    await expect.poll(ready).toMatchObject({ status: 503, body: { reason } });
    reason = undefined;
    expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('that cannot start keeps the service from starting', async () => {
    const work = {
      start: async () => Promise.reject(new Error('no feed')),
      close: async () => undefined,
    };
    const running = await start(notesService({ features: () => ({ background: [work] }) }));
    await expect(running.app.ready()).rejects.toThrow('no feed');
  });
});
