import { ApiError, type Failure } from '@tenantry/envelope';
import fc from 'fast-check';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '@tenantry/service/http';
import {
  EmailAddress,
  IfMatchHeaders,
  LineOf,
  LinesOf,
  commaList,
  Nullable,
  PageQueryOf,
  SortBy,
  Timestamp,
  entityTag,
  preconditionFailed,
  preconditionOf,
  Transitions,
} from '@tenantry/service/resources';
import { buildFixture } from './fixture.ts';

const closed = { additionalProperties: false } as const;
const Thing = Type.Object(
  {
    name: LineOf(10),
    email: Type.Optional(EmailAddress()),
    phone: Type.Optional(Nullable(LineOf(5))),
    notes: Type.Optional(Nullable(LinesOf(20))),
    at: Type.Optional(Timestamp()),
  },
  closed,
);
const ThingList = PageQueryOf({ sort: SortBy(['-createdAt', 'name']), search: Type.Optional(LineOf(9)) });
const version = 3;

let app: Service;
beforeAll(async () => {
  ({ app } = await buildFixture({}, (service) => {
    const config = { access: 'public' } as const;
    service.get('/things', { config, schema: { querystring: ThingList } }, async ({ query }) => query);
    service.put('/things', { config, schema: { headers: IfMatchHeaders, body: Thing } }, async (request) => {
      if (!preconditionOf(request)(version)) throw preconditionFailed('thing');
      return request.body;
    });
  }));
});
afterAll(() => app.close());

const put = (payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'PUT', url: '/things', payload, headers });
const findingsOf = (answer: { json: () => unknown }) =>
  (answer.json() as Failure).error.details.map(({ field, rule }) => [field, rule]);

describe('a moment', () => {
  it.each([
    '2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00.123456+05:30',
    '2024-02-29T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('%s is taken', async (at) => {
    expect((await put({ name: 'a', at })).json()).toEqual({ name: 'a', at });
  });

  it.each([
    '2026-11-21',
    '2026-11-21T10:00:00',
    '2026-11-21 10:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-01T00:00:00+99:99',
    '0000-01-01T00:00:00Z',
    '12026-01-01T00:00:00Z',
  ])('%s is refused', async (at) => {
    expect(findingsOf(await put({ name: 'a', at }))).toEqual([['at', 'format']]);
  });
});

describe('a field of a body', () => {
  it('is kept tidy, null empties it, and absent is absent', async () => {
    const answer = await put({ name: '  A\u030Asa ', email: ' Ada@example.com', phone: null });
    expect(answer.json()).toEqual({ name: 'Åsa', email: 'Ada@example.com', phone: null });
  });

  it('that is blank is refused like one that is empty, with all others in one answer', async () => {
    const answer = await put({ name: ' ', email: 'a@b', phone: '\t', notes: 'a\u0007' });
    expect(findingsOf(answer)).toEqual([
      ['name', 'minLength'],
      ['email', 'format'],
      ['phone', 'minLength'],
      ['notes', 'text'],
    ]);
  });
});

describe('the query of a list', () => {
  it('has a first page of ten in the first order by default', async () => {
    expect((await app.inject('/things')).json()).toEqual({ page: 1, pageSize: 10, sort: '-createdAt' });
    const asked = await app.inject('/things?page=2&pageSize=100&sort=name&search=%20ada%20');
    expect(asked.json()).toEqual({ page: 2, pageSize: 100, sort: 'name', search: 'ada' });
  });

  it.each([
    ['page=0', ['page', 'minimum']],
    ['pageSize=101', ['pageSize', 'maximum']],
    ['sort=email', ['sort', 'enum']],
    ['filter=x', ['filter', 'additionalProperties']],
  ])('refuses ?%s', async (query, finding) => {
    expect(findingsOf(await app.inject(`/things?${query}`))).toEqual([finding]);
  });
});

describe('a field that null empties', () => {
  it('takes null beside the values of a closed set', () => {
    expect(Nullable(new Transitions({ noun: 'quote' }, { draft: ['sent'], sent: [] }).Schema)).toMatchObject({
      type: ['string', 'null'],
      enum: ['draft', 'sent', null],
    });
  });
});

describe('a comma list', () => {
  const statuses = commaList(['new', 'on-hold']);
  const { pattern } = statuses.Schema as { pattern?: string };
  const accepts = (text: string) => new RegExp(pattern ?? '^$').test(text);

  it('names some of its values, each once', () => {
    expect(['new', 'new,on-hold', 'new,new'].filter(accepts)).toHaveLength(3);
    expect(statuses.read('on-hold,new,on-hold')).toEqual(['on-hold', 'new']);
    expect(statuses.read(undefined)).toEqual([]);
  });

  it('names nothing else', () => {
    const others = ['', ',', 'new,', ',new', 'new, on-hold', 'NEW', 'newon-hold', 'new\n', 'old'];
    expect(others.filter(accepts)).toEqual([]);
  });
});

describe('If-Match', () => {
  it.each(['*', ' * ', '"3"', '"2", "3"', '"2","3"', ', "a,b" ,, "3",', 'W/"2" , "3"'])(
    'accepts version 3 with %s',
    async (tag) => {
      expect((await put({ name: 'a' }, { 'if-match': tag })).statusCode).toBe(200);
    },
  );

  it.each(['"2"', 'W/"3"', '""', '"2", "4"', '"\u00ff"'])('refuses version 3 with %s as 412', async (tag) => {
    const answer = await put({ name: 'a' }, { 'if-match': tag });
    expect(answer.statusCode).toBe(412);
    expect(answer.json<Failure>().error.code).toBe('PRECONDITION_FAILED');
  });

  it.each(['3', '2', '"3 "', '"3', '3"', '"2" "3"', '"2"; "3"', 'w/"3"', '*, "3"', ',', "'3'", '"a"b"'])(
    'that is malformed is 400: %s',
    async (tag) => {
      const answer = await put({ name: 'a' }, { 'if-match': tag });
      expect(answer.statusCode).toBe(400);
      expect(findingsOf(answer)).toEqual([['if-match', 'format']]);
    },
  );

  it('accepts the tag that was handed out, and only that one', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (own, other) => {
        const accepts = preconditionOf({ headers: { 'if-match': entityTag(own) } });
        expect(accepts(other)).toBe(own === other);
      }),
    );
  });
});

describe('the moves of a state machine', () => {
  const table = { draft: ['sent'], sent: ['accepted', 'rejected'], accepted: [], rejected: [] } as const;
  const quote = new Transitions({ noun: 'quote' }, table);
  const anyState = fc.constantFrom(...quote.states);

  it('are those of the table, and an unchanged state is always allowed', () => {
    fc.assert(
      fc.property(anyState, anyState, (from, to) => {
        const listed = (table[from] as readonly string[]).includes(to);
        expect(quote.allows(from, to)).toBe(from === to || listed);
        expect(quote.allowedFrom(from)).toEqual(table[from]);
      }),
    );
  });

  it('are refused with from, to and what is allowed', () => {
    const refused = (from: (typeof quote.states)[number], to: (typeof quote.states)[number]) => {
      try {
        quote.require(from, to);
      } catch (error) {
        return error as ApiError;
      }
      throw new Error('was allowed');
    };
    quote.require('draft', 'sent');
    quote.require('sent', 'sent');
    expect(refused('sent', 'draft')).toMatchObject({
      code: 'INVALID_TRANSITION',
      statusCode: 409,
      message: 'A quote cannot move from sent to draft: it can move to accepted or rejected.',
      details: [
        {
          field: 'status',
          rule: 'transition',
          params: { from: 'sent', to: 'draft', allowed: ['accepted', 'rejected'] },
        },
      ],
    });
    expect(refused('accepted', 'sent').message).toBe(
      'A quote cannot move from accepted to sent: it is final.',
    );
  });

  it('stand in the schema and its description', () => {
    expect(quote.Schema).toMatchObject({ type: 'string', enum: ['draft', 'sent', 'accepted', 'rejected'] });
    expect(quote.description).toBe('moves: draft to sent, sent to accepted or rejected');
  });
});
