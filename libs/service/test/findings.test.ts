import type { ErrorDetail, Failure } from '@tenantry/envelope';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '@tenantry/service/http';
import { DateOrTime, DecimalOf } from '@tenantry/service/resources';
import { buildFixture } from './fixture.ts';

const closed = { additionalProperties: false } as const;
const text = (maxLength: number) => Type.String({ text: 'line', minLength: 1, maxLength });
const Order = Type.Object(
  {
    title: text(10),
    code: Type.Optional(Type.String({ pattern: '^[0-9]{6}$', messages: { pattern: 'must be 6 digits' } })),
    token: Type.Optional(Type.String()),
    size: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['S', 'M'] })),
    notes: Type.Optional(Type.String({ text: 'lines', maxLength: 100 })),
    items: Type.Optional(
      Type.Array(
        Type.Object(
          {
            unitPrice: DecimalOf(2, { minimum: 0 }),
            note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
          },
          closed,
        ),
      ),
    ),
    until: Type.Optional(DateOrTime()),
    delivery: Type.Optional(
      Type.Union([
        Type.Object({ kind: Type.Literal('post'), street: Type.String(), town: Type.String() }, closed),
        Type.Object({ kind: Type.Literal('shop'), shop: Type.Integer() }, closed),
        Type.Null(),
      ]),
    ),
  },
  closed,
);
const Path = Type.Object({ id: Type.String({ format: 'uuid' }) }, closed);
const Query = Type.Object({ page: Type.Integer({ minimum: 1, default: 1 }) }, closed);

let app: Service;
beforeAll(async () => {
  ({ app } = await buildFixture({}, (service) => {
    service.post(
      '/orders/:id',
      { config: { access: 'public' }, schema: { body: Order, params: Path, querystring: Query } },
      async (request) => request.body,
    );
  }));
});
afterAll(() => app.close());

const id = '0b9f7c1e-5b1a-4c5e-9d57-0d3f3c2b1a00';
const send = (payload: object, url = `/orders/${id}`) => app.inject({ method: 'POST', url, payload });
const detailsOf = (answer: { json: () => unknown }): readonly ErrorDetail[] =>
  (answer.json() as Failure).error.details;

describe('a number of two decimals', () => {
  it.each([19.99, 4.35, 0.07, 1.15, 1e21, 0, 99_999_999.99])('may be %d', async (unitPrice) => {
    expect((await send({ title: 'a', items: [{ unitPrice }] })).statusCode).toBe(200);
  });

  it.each([19.999, 0.001, 1e-7])('may not be %d, and is never rounded', async (unitPrice) => {
    expect(detailsOf(await send({ title: 'a', items: [{ unitPrice }] }))).toEqual([
      {
        field: 'items[0].unitPrice',
        rule: 'decimals',
        params: { limit: 2 },
        message: 'must have at most 2 decimals',
      },
    ]);
  });
});

describe('a day or a moment', () => {
  it.each(['2026-02-28', '2026-02-28T12:00:00Z', '2026-02-28T12:00:00.5+01:00'])(
    'may be %s',
    async (until) => {
      expect((await send({ title: 'a', until })).statusCode).toBe(200);
    },
  );

  it.each(['2026-02-29', '2026-02-28T12:00:00', 'tomorrow', '2026'])('may not be %j', async (until) => {
    const [detail] = detailsOf(await send({ title: 'a', until }));
    const message = 'must be a date, YYYY-MM-DD, or an ISO 8601 timestamp with a time zone';
    expect(detail).toMatchObject({ field: 'until', rule: 'format', message });
  });
});

describe('a finding', () => {
  it('about an empty text is that it is empty, and not also which format it lacks', async () => {
    const detail = { rule: 'minLength', params: { limit: 1 }, message: 'must not be empty' };
    expect(detailsOf(await send({ title: '', code: '', until: '' }))).toEqual([
      { field: 'title', ...detail },
      { field: 'code', ...detail },
      { field: 'until', ...detail },
    ]);
  });

  it('names the rule and what it was about, for clients with words of their own', async () => {
    expect(detailsOf(await send({ title: 'far too long', code: '12' }))).toEqual([
      { field: 'title', rule: 'maxLength', params: { limit: 10 }, message: 'must be at most 10 characters' },
      { field: 'code', rule: 'pattern', params: { pattern: '^[0-9]{6}$' }, message: 'must be 6 digits' },
    ]);
  });

  it.each([
    [{ items: [{ unitPrice: 1 }, { unitPrice: -1 }] }, 'items[1].unitPrice'],
    [{ items: [{ unitPrice: 1, 'a.b': 1 }] }, 'items[0]["a.b"]'],
    [{ 'to/be~1': 1 }, 'to/be~1'],
    [{ '': 1 }, '[""]'],
    [{ ['x'.repeat(5_000)]: 1 }, `${'x'.repeat(200)}…`],
  ])('says where it is: %j', async (fields, field) => {
    expect(detailsOf(await send({ title: 'a', ...fields })).map((detail) => detail.field)).toEqual([field]);
  });

  it.each([
    ['of the kind it names', { kind: 'shop', shop: 'x' }, ['delivery.shop']],
    ['of the other kind it names', { kind: 'post', street: 's' }, ['delivery.town']],
    ['of the item it is in, for each', undefined, ['items[0].note', 'items[10].note']],
  ])('about a choice is the one of the branch that was meant: %s', async (_case, delivery, fields) => {
    const items = Array.from({ length: 11 }, (_, n) => ({
      unitPrice: 1,
      note: n % 10 === 0 ? 'long' : null,
    }));
    const answer = await send({ title: 'a', ...(delivery ? { delivery } : { items }) });
    expect(detailsOf(answer).map(({ field }) => field)).toEqual(fields);
  });
});

it('a value off a list is named once, whatever its type', async () => {
  for (const size of [1, ['S'], null, 'XXL']) {
    expect(detailsOf(await send({ title: 'a', size }))).toEqual([
      { field: 'size', rule: 'enum', params: { allowed: ['S', 'M'] }, message: 'must be one of S, M' },
    ]);
  }
});

describe('all findings of a request', () => {
  it('are in one answer: path, body and query, rules and text that cannot be stored', async () => {
    const body = { title: '', token: '\0', code: '1\0', colour: 1 };
    const answer = await send(body, '/orders/1?page=0&sort=x');
    expect(answer.statusCode).toBe(400);
    expect(detailsOf(answer).map(({ field, rule }) => [field, rule])).toEqual([
      ['id', 'format'],
      ['colour', 'additionalProperties'],
      ['title', 'minLength'],
      ['code', 'pattern'],
      ['token', 'storable'],
      ['sort', 'additionalProperties'],
      ['page', 'minimum'],
    ]);
  });

  it('are fifty at most, and the last one says how many more there are', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field${n}`, 1]));
    const details = detailsOf(await send({ title: 'a', ...unknown }, `/orders/${id}?page=0`));
    expect(details).toHaveLength(51);
    expect(details.at(-1)).toEqual({
      field: 'request',
      rule: 'more',
      params: { count: 11 },
      message: 'has 11 more findings',
    });
  });

  it.each([
    ['unknown fields', `{${Array.from({ length: 7_000 }, (_, n) => `"${n}":1`).join(',')}}`],
    ['empty items', `{"title":"a","items":[${'{},'.repeat(20_000)}{}]}`],
    ['texts that cannot be stored', `{"title":["${'\\u0000","'.repeat(6_000)}"]}`],
    ['levels of nesting', `${'{"a":["\\u0000",'.repeat(3_800)}1${']}'.repeat(3_800)}`],
  ])('are fifty at most in 64 KiB of %s [S-155]', async (_case, payload) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: `/orders/${id}`, headers, payload });
    expect(answer.statusCode).toBe(400);
    expect(detailsOf(answer)).toHaveLength(51);
    expect(detailsOf(answer).at(-1)!.params!['count']).toBeGreaterThan(3_000);
  });
});

describe('text', () => {
  it('is kept without blanks around it and composed (NFC), and limits hold for what is kept', async () => {
    const answer = await send({ title: `  ${'A\u030A'.repeat(10)}\u3000\n`, notes: '\tone\ntwo ' });
    expect(answer.json()).toEqual({ title: 'Å'.repeat(10), notes: 'one\ntwo' });
  });

  it('with more marks in a row than any writing has is not put in order, which would take the square of its time [S-151]', async () => {
    const marked = (marks: number) => `a${'\u0315'.repeat(marks - 1)}\u0323`;
    const kept = async (notes: string) => (await send({ title: 'a', notes })).json<object>();
    expect(await kept(marked(30))).toMatchObject({ notes: marked(30).normalize('NFC') });
    expect(await kept(marked(31))).toMatchObject({ notes: marked(31) });
  });

  it('of nothing but blanks is empty', async () => {
    expect(detailsOf(await send({ title: ' \t\u00a0 ' }))).toMatchObject([
      { field: 'title', rule: 'minLength' },
    ]);
  });

  it.each([
    ['a zero-width space', '\u200b'],
    ['joiners and direction marks', '\u200d \u200e\u2066\u2069'],
    ['a byte order mark', '\ufeff'],
    ['a soft hyphen', '\u00ad'],
    ['fillers', '\u3164\u115f\uffa0\u2800'],
    ['a note without a head and the placeholder of an object', '\u{1d159}\ufffc'],
    ['variation selectors and tags', '\ufe0f\u{e0041}\u{e007f}'],
    ['marks without a letter', '\u0301\u034f'],
    ['the word joiner between blanks', ' \u2060\u00a0'],
  ])('of which nothing is visible is empty: %s', async (_, title) => {
    expect(detailsOf(await send({ title }))).toMatchObject([{ field: 'title', rule: 'minLength' }]);
  });

  it.each(['👩‍👩‍👧‍👦', 'می‌خواهم', '한국', '.', '\u{1f3f4}\u{e0067}\u{e007f}', 'é', '\u0600', '0'])(
    'that shows anything is kept as it is: %s',
    async (title) => {
      expect((await send({ title })).json()).toMatchObject({ title: title.normalize('NFC') });
    },
  );

  it.each(['a\0b', 'a\u0007b', 'a\u007fb', 'a\u0085b', 'a\nb'])(
    'of one line holds no control character: %j [S-156]',
    async (title) => {
      expect(detailsOf(await send({ title }))).toEqual([
        { field: 'title', rule: 'text', message: 'must not contain control characters' },
      ]);
    },
  );

  it('of several lines holds no control character but tabs and line breaks', async () => {
    expect((await send({ title: 'a', notes: 'one\r\n\ttwo' })).statusCode).toBe(200);
    expect(detailsOf(await send({ title: 'a', notes: 'one\u001b[2Jtwo' }))).toMatchObject([
      { field: 'notes', rule: 'text' },
    ]);
  });
});
