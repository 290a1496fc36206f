import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLead, startService, type Caller, type TestService } from './support/service.ts';

let service: TestService;
let member: Caller;
let id: string;
beforeAll(async () => {
  service = await startService();
  member = await service.member();
  id = await createLead(member);
});
afterAll(() => service.close());

const json = { 'content-type': 'application/json' };
const text = fc.string({ unit: 'binary', maxLength: 120 });
const field = fc.constantFrom(
  'name',
  'email',
  'phone',
  'source',
  'notes',
  'status',
  'id',
  'constructor',
  'toString',
);
const body = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    field,
    fc.oneof(text, fc.jsonValue(), fc.constantFrom('ada@example.com', 'new', 'won', null)),
  ),
);
/** Text as a client may write it, escapes of unpaired surrogates included. */
const written = fc.oneof(
  body.map((value) => JSON.stringify(value)),
  text,
  fc.constantFrom(
    '"\\ud800"',
    '{"name":"\\udfff","email":"a@example.com"}',
    '{"name":"\\u0000","email":"a@example.com"}',
  ),
);

/** A path or query carries UTF-8, which has no half of a surrogate pair. */
const encoded = (part: string) => encodeURIComponent(Buffer.from(part).toString());

/** Refused or done, in the envelope, and never the service's own fault. */
async function survives(send: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text: answer } = await send;
  expect(status, answer).toBeLessThan(500);
  if (status >= 400) expect(JSON.parse(answer)).toMatchObject({ data: null, error: {}, meta: {} });
}

describe('whatever a client sends, the service refuses or does it, and never fails', () => {
  it('as a body', async () => {
    await fc.assert(
      fc.asyncProperty(written, fc.boolean(), async (payload, creates) => {
        const [method, path] = creates
          ? (['POST', '/api/leads'] as const)
          : (['PUT', `/api/leads/${id}`] as const);
        await survives(member.send(method, path, { body: payload, headers: json }));
      }),
      { numRuns: 600 },
    );
  });

  it('as a query', async () => {
    const key = fc.oneof(fc.constantFrom('page', 'pageSize', 'status', 'search', 'sort'), text);
    const value = fc.oneof(
      text,
      fc.integer().map(String),
      fc.double().map(String),
      fc.constantFrom('%', '%zz', '\\'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, value), { maxLength: 4 }), async (pairs) => {
        const query = pairs.map(([k, v]) => `${encoded(k)}=${encoded(v)}`);
        await survives(member.send('GET', `/api/leads?${query.join('&')}`));
      }),
      { numRuns: 400 },
    );
  });

  it('as an id or a precondition', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.string({ maxLength: 40 }), async (path, tag) => {
        await survives(member.send('GET', `/api/leads/${encoded(path)}`));
        const headers = { 'if-match': tag.replaceAll(/[^\x21-\x7e]/g, '') };
        await survives(member.send('DELETE', `/api/leads/${randomUUID()}`, { headers }));
      }),
      { numRuns: 200 },
    );
  });

  it('and what was stored is answered as it was sent [S-156]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), async (name) => {
        const kept = name.trim().normalize('NFC');
        fc.pre(kept !== '' && !/\p{Cc}/u.test(kept));
        const lead = await createLead(member, { name });
        expect((await member.send('GET', `/api/leads/${lead}`)).body.data.name).toBe(kept);
        const found = await member.send('GET', `/api/leads?search=${encodeURIComponent(kept)}&pageSize=100`);
        expect(found.body.data.map((item) => item.id)).toContain(lead);
      }),
      { numRuns: 100 },
    );
  });
});
