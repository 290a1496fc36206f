import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { success } from '@tenantry/envelope';
import { startTestService } from '@tenantry/service-tests';
import { defineBusinessService, type BusinessFeatures, type BusinessParts } from '@tenantry/service/business';
import { notifyPeer } from '@tenantry/service/events';
import { peerSettings } from '@tenantry/service/peers';
import { DueWork, Outbox } from '@tenantry/service/work';
import { canarySecret } from '@tenantry/test-kit';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { models, notesTables, projectWith } from './fixture/notes-service.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';

type Parts = BusinessParts<typeof peerSettings>;

const key = canarySecret();
const env = { AUTH_INTERNAL_URL: 'http://127.0.0.1:9', INTERNAL_API_KEY: `${key},${canarySecret()}` };
const closed = { additionalProperties: false } as const;
const tables = ['service/sql/organization-ends', 'service/sql/due-work', 'service/sql/outbox'].map((name) =>
  readFileSync(join(workspaceRoot, `libs/${name}.sql`), 'utf8'),
);
const sql = `${notesTables}${tables.join('')}
  GRANT SELECT, INSERT, UPDATE, DELETE ON organization_ends, due_work, outbox TO tenantry_notes_service;`;

async function start(features: (parts: Parts) => BusinessFeatures) {
  const service = defineBusinessService({
    manifest: projectWith(sql),
    title: 'Notes',
    models: Prisma,
    prisma: (adapter) => new PrismaClient({ adapter }),
    settings: peerSettings,
    features,
  });
  const running = await startTestService(service, { env });
  onTestFinished(() => running.close());
  return running;
}

const Message = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    organizationId: Type.String({ format: 'uuid' }),
    subjectId: Type.String({ format: 'uuid' }),
    payload: Type.Object({ text: Type.String() }, closed),
  },
  closed,
);

/** A service that keeps the messages it gets, by their id. */
async function listener() {
  let answers = 0;
  const running = await start(({ database }) => ({
    routes: [
      (app) => {
        const schema = { hide: true, body: Message };
        app.post(
          '/internal/note-written',
          { config: { access: 'internal' }, schema },
          async (request, reply) => {
            const { id, organizationId, payload } = request.body;
            const note = { organizationId, id, ...payload };
            // Sent twice, stored once.
            await models(database.within({ organizationId })).note.createMany({
              data: [note],
              skipDuplicates: true,
            });
            answers += 1;
            // The first response is lost, so that the message is sent again.
            return reply.code(answers === 1 ? 503 : 204).send();
          },
        );
      },
    ],
  }));
  await running.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = running.app.server.address() as AddressInfo;
  const notesOf = (organizationId: string) =>
    models(running.database.within({ organizationId })).note.findMany({ select: { text: true } });
  return { running, notesOf, url: `http://127.0.0.1:${port}/internal/note-written` };
}

describe('what a service tells another', () => {
  it('arrives from its outbox, after a failure too, within the organization that it is about', async () => {
    const told = await listener();
    const outbox = new Outbox<{ 'note-written': { text: string } }>();
    const states: string[] = [];
    const teller = await start(({ config, database, logger, tenantOf }) => {
      const deliver = notifyPeer<{ text: string }>({ config, url: told.url });
      const worker = new DueWork({
        ...{ database, logger },
        retrySeconds: 0.1,
        pollSeconds: 0.2,
        kinds: {
          outbox: outbox.delivery({
            'note-written': async (message, context) => {
              await deliver(message, context).then(
                () => states.push('told'),
                (error: unknown) => {
                  states.push('refused');
                  throw error;
                },
              );
            },
          }),
        },
      });
      const schema = { operationId: 'writeNote', response: { 201: Type.Object({}) } };
      return {
        background: [worker],
        routes: [
          (app) =>
            void app.post(
              '/api/notes',
              { config: { access: 'leads:write' }, schema },
              async (request, reply) => {
                await tenantOf(request).transaction((tx) =>
                  outbox.put(tx, {
                    topic: 'note-written',
                    subjectId: randomUUID(),
                    payload: { text: 'Buy milk' },
                  }),
                );
                return reply.code(201).send(success({}, request.id));
              },
            ),
        ],
      };
    });
    await teller.app.ready();
    const member = await teller.member();
    expect((await member.send('POST', '/api/notes')).status).toBe(201);
    await expect.poll(() => states).toContain('told');
    expect(states[0]).toBe('refused');
    expect(await told.notesOf(member.organizationId)).toEqual([{ text: 'Buy milk' }]);
    expect(await told.notesOf(randomUUID())).toEqual([]);
  });

  it('is refused without the key of the services [S-117]', async () => {
    const { running, notesOf } = await listener();
    const organizationId = randomUUID();
    const body = { id: randomUUID(), organizationId, subjectId: randomUUID(), payload: { text: 'x' } };
    const owner = await running.issuer.token({ role: 'owner', organizationId });
    for (const authorization of [undefined, 'Bearer ', `Bearer ${owner}`, `Bearer ${env.INTERNAL_API_KEY}`]) {
      const answer = await running.caller(authorization).send('POST', '/internal/note-written', { body });
      expect(answer.status).toBe(401);
    }
    expect(await notesOf(organizationId)).toEqual([]);
  });
});
