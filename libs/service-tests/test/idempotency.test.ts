import { randomUUID } from 'node:crypto';
import { success } from '@tenantry/envelope';
import { startTestService, type TestService } from '@tenantry/service-tests';
import type { BusinessFeatures, BusinessParts, Tenant } from '@tenantry/service/business';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idempotencyTables, models, notesService, notesTables } from './fixture/notes-service.ts';

type Parts = BusinessParts<never>;
const Body = Type.Object({ text: Type.String() }, { additionalProperties: false });
const response = { 200: Type.Unknown(), 201: Type.Unknown(), 204: Type.Null() };

const write = (tenant: Tenant, text: string) =>
  tenant.transaction((tx) => models(tx).note.create({ data: { ...tenant.scope, text } }));
let readsBefore = 0;

/** Routes that are idempotent, each in a way of its own. */
const features = ({ once, tenantOf }: Pick<Parts, 'once' | 'tenantOf'>): BusinessFeatures => ({
  routes: [
    (app) => {
      const config = { access: 'leads:write', idempotent: true } as const;
      const route = (name: string) => ({ config, schema: { operationId: name, body: Body, response } });
      app.post('/api/notes/twice', route('writeTwice'), async (request, reply) =>
        once(request, reply, async ({ tenant }) => {
          await write(tenant, request.body.text);
          // A part that fails is undone alone.
          const lost = tenant.transaction(async (tx) => {
            await models(tx).note.create({ data: { ...tenant.scope, text: 'lost' } });
            throw new Error('no');
          });
          await lost.catch(() => undefined);
          await write(tenant, `${request.body.text} again`);
          reply.code(201);
          return success({}, request.id);
        }),
      );
      app.post('/api/notes/nothing', route('answerNothing'), async (request, reply) =>
        once(request, reply, async ({ tenant }) => {
          await write(tenant, request.body.text);
          reply.code(204);
          return null;
        }),
      );
      app.post('/api/notes/early', route('answerEarly'), async (request, reply) =>
        once(request, reply, async ({ tenant }) => {
          await write(tenant, request.body.text);
          return reply.code(201).send(success({}, request.id));
        }),
      );
      app.post('/api/notes/much', route('answerMuch'), async (request, reply) =>
        once(request, reply, async ({ tenant }) => {
          await write(tenant, 'much');
          return { text: request.body.text.repeat(20_000) };
        }),
      );
      app.post('/api/notes/before', route('readBefore'), async (request, reply) =>
        once(
          request,
          reply,
          async ({ tenant }, text) => {
            await write(tenant, text);
            return { text };
          },
          { before: async () => `${request.body.text} ${++readsBefore}` },
        ),
      );
      app.post('/api/notes/past', route('writePast'), async (request, reply) =>
        once(request, reply, async () => write(tenantOf(request), request.body.text)),
      );
      app.post('/api/notes/forgotten', route('forgetOnce'), async (request) =>
        write(tenantOf(request), request.body.text),
      );
    },
  ],
});

let running: TestService;
beforeAll(async () => {
  running = await startTestService(notesService({ sql: notesTables + idempotencyTables, features }));
});
afterAll(() => running.close());

async function send(path: string, text: string) {
  const organizationId = randomUUID();
  const member = await running.member({ organizationId });
  const headers = { 'idempotency-key': randomUUID() };
  const answers = [];
  for (let n = 0; n < 2; n++) {
    answers.push(await member.send('POST', `/api/notes/${path}`, { body: { text }, headers }));
  }
  const notes = await models(running.database.within({ organizationId })).note.findMany();
  return { answers, notes: notes.map((note) => note.text).sort() };
}

describe('an idempotent route', () => {
  it('without a permission does not boot', async () => {
    const service = notesService({
      features: () => ({
        routes: [
          (app) =>
            void app.post(
              '/api/notes/open',
              { config: { access: 'public', idempotent: true }, schema: { operationId: 'open', response } },
              () => ({}),
            ),
        ],
      }),
    });
    await expect(startTestService(service)).rejects.toThrow(
      '/api/notes/open is idempotent and needs a permission',
    );
  });

  it('takes the transactions of its use cases into the one that keeps its answer', async () => {
    const { answers, notes } = await send('twice', 'a');
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(notes).toEqual(['a', 'a again']);
  });

  it('sends nothing before its work is committed', async () => {
    const { answers, notes } = await send('early', 'a');
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(notes).toEqual([]);
  });

  it('reads what it needs of others before its transaction, and not for a stored answer', async () => {
    const { answers, notes } = await send('before', 'a');
    expect(answers.map(({ text }) => text)).toEqual(['{"text":"a 1"}', '{"text":"a 1"}']);
    expect([notes, readsBefore]).toEqual([['a 1'], 1]);
  });

  it('writes nothing past the transaction that keeps its answer', async () => {
    const { answers, notes } = await send('past', 'a');
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(notes).toEqual([]);
  });

  it('that does its work otherwise than once does not answer a request with a key', async () => {
    const { answers } = await send('forgotten', 'a');
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  });

  it('may answer without a body', async () => {
    const { answers, notes } = await send('nothing', 'a');
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    expect(notes).toEqual(['a']);
  });

  it('does nothing whose answer is too large to be kept', async () => {
    const { answers, notes } = await send('much', 'much');
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    expect(notes).toEqual([]);
  });
});
