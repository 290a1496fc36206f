import { EventEmitter } from 'node:events';
import type {} from '@fastify/swagger';
import { ApiError, invalidField } from '@tenantry/envelope';
import { Type, type TSchema } from 'typebox';
import { describe, expect, it, vi } from 'vitest';
import type { FailureFormat } from '@tenantry/service/failures';
import { runApp, type Service } from '@tenantry/service/http';
import { IfMatchHeaders, WithEntityTag, commaList, partialUpdate } from '@tenantry/service/resources';
import { settings } from '@tenantry/service/settings';
import { buildFixture } from './fixture.ts';

const closed = { additionalProperties: false } as const;
const openapi = { title: 'Things', path: '/openapi.json' };
const taken = new ApiError('NAME_TAKEN', 'Choose another name.', { statusCode: 409 });

const Thing = Type.Object({ name: Type.String({ text: 'line' }) }, { ...closed, title: 'Thing' });
const ThingPath = Type.Object({ id: Type.String({ format: 'uuid' }) }, closed);
const Answer = Type.Object({ data: Thing, error: Type.Null() }, closed);

function thingRoutes(app: Service): void {
  const list = {
    operationId: 'listThings',
    querystring: Type.Object({ page: Type.Integer({ default: 1 }) }, closed),
    response: { 200: Type.Array(Thing) },
  };
  app.get('/things', { config: { access: 'public' }, schema: list }, async () => []);
  app.route({
    method: partialUpdate(),
    url: '/things/:id',
    config: { access: 'leads:write', errors: [taken, taken] },
    schema: {
      operationId: 'updateThing',
      params: ThingPath,
      headers: IfMatchHeaders,
      body: Thing,
      response: { 200: WithEntityTag(Answer) },
    },
    handler: async ({ body }) => ({ data: body, error: null }),
  });
}

interface Operation {
  readonly operationId: string;
  readonly security?: unknown;
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Body {
  readonly content: { readonly 'application/json': { readonly example: unknown } };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<'schemas' | 'responses', Readonly<Record<string, object>>>>;
}

async function documentOf(
  routes: (app: Service) => void,
  failures: FailureFormat = 'envelope',
): Promise<Document> {
  const { app } = await buildFixture({ openapi, failures }, routes);
  const document = (await app.inject('/openapi.json')).json<Document>();
  await app.close();
  return document;
}

/** The codes that an operation may answer, by status. */
function codesOf({ components }: Document, { responses }: Operation): Record<string, string[]> {
  const codes = Object.entries(responses).map(([status, response]) => {
    const name = (response as { $ref?: string }).$ref?.split('/').at(-1);
    const { content } = (name === undefined ? response : components.responses[name]) as {
      content?: { 'application/json': { examples?: object } };
    };
    return [status, Object.keys(content?.['application/json'].examples ?? {})];
  });
  return Object.fromEntries(codes) as Record<string, string[]>;
}

describe('the OpenAPI document', () => {
  it('says what an operation needs, who may call it, and every code that it refuses with', async () => {
    const document = await documentOf(thingRoutes);
    const put = document.paths['/things/{id}']!['put']!;
    expect(put).toMatchObject({ security: [{ bearer: [] }], 'x-access': 'leads:write' });
    expect(put.parameters!.map(({ name, required }) => [name, required])).toEqual([
      ['id', true],
      ['If-Match', false],
    ]);
    // An example in place would be sent by whatever fills the parameter in.
    expect(put.parameters![1]).not.toHaveProperty('example');
    expect(put.parameters![1]).toHaveProperty('description', expect.stringMatching(/for example "3"$/));
    expect(put.responses['200']).toHaveProperty('headers.ETag');
    expect(codesOf(document, put)).toEqual({
      200: [],
      400: ['VALIDATION_ERROR'],
      401: ['UNAUTHENTICATED', 'SESSION_ADDRESS_CHANGED'],
      403: ['FORBIDDEN', 'NO_ACTIVE_ORGANIZATION', 'ORIGIN_NOT_ALLOWED', 'CSRF_FAILED'],
      404: ['NOT_FOUND'],
      408: ['REQUEST_TIMEOUT'],
      409: ['NAME_TAKEN', 'CONFLICT'],
      412: ['PRECONDITION_FAILED'],
      413: ['PAYLOAD_TOO_LARGE'],
      415: ['UNSUPPORTED_MEDIA_TYPE'],
      429: ['RATE_LIMITED'],
      431: ['HEADERS_TOO_LARGE'],
      500: ['INTERNAL'],
      502: ['UPSTREAM_UNAVAILABLE'],
      503: ['UPSTREAM_UNAVAILABLE'],
      504: ['DEADLINE_EXCEEDED', 'UPSTREAM_UNAVAILABLE'],
    });
    const list = document.paths['/things']!['get']!;
    expect(list.parameters!.map(({ name, required }) => [name, required ?? false])).toEqual([
      ['page', false],
    ]);
    expect(list).not.toHaveProperty('requestBody');
    expect(Object.keys(list.responses)).not.toContain('401');
  });

  it('shows a declared refusal as it is answered, with its code alone in its schema', async () => {
    const plain = await documentOf(thingRoutes, 'plain');
    const { code } = (plain.components.schemas['NameTakenRefusal'] as { properties: { code: object } })
      .properties;
    expect(code).toEqual({ type: 'string', enum: ['NAME_TAKEN'] });
    expect(JSON.stringify(plain)).toContain(
      '"NAME_TAKEN":{"value":{"code":"NAME_TAKEN","message":"Choose another name."',
    );
  });

  it('names schemas: by their title, or after the operation that they are the body or answer of', async () => {
    const { components, paths } = await documentOf(thingRoutes);
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        'Thing',
        'ListThingsAnswer',
        'UpdateThingAnswer',
        'ErrorDetail',
        'ConflictFailure',
      ]),
    );
    expect(paths['/things/{id}']!['put']!.requestBody).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
    });
    expect(JSON.stringify(components.schemas)).not.toContain('"text":');
  });

  it('shows the body of a request by an example that can be sent: its own, or that of its fields', async () => {
    const line = (options = {}) => Type.String({ text: 'line', ...options });
    const fields = {
      name: line({ examples: ['Ada'] }),
      ownerId: Type.String({ format: 'uuid' }),
      kind: Type.String({ enum: ['round', 'square'] }),
      phone: Type.Optional(line({ examples: ['+46 70 123 45 67'] })),
      invitationToken: Type.Optional(line()),
    };
    const examples = [{ name: 'Grace' }];
    const { paths } = await documentOf((app) => {
      const post = (url: string, operationId: string, body: TSchema) =>
        void app.post(url, { config: { access: 'public' }, schema: { operationId, body } }, async () => 'x');
      post('/made', 'createMade', Type.Object(fields, closed));
      post('/own', 'createOwn', Type.Object(fields, { ...closed, examples }));
      post('/either', 'createEither', Type.Union([Type.Object({ name: fields.name }, closed), Type.Null()]));
    });
    const exampleOf = (path: string) =>
      (paths[path]?.['post']?.requestBody as Body | undefined)?.content['application/json'].example;
    expect(exampleOf('/made')).toEqual({
      name: 'Ada',
      ownerId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      kind: 'round',
      phone: '+46 70 123 45 67',
    });
    expect(exampleOf('/own')).toEqual({ name: 'Grace' });
    expect(exampleOf('/either')).toEqual({ name: 'Ada' });
  });

  it('lists the reasons of a code, and each cause of it by an example', async () => {
    const causes = ['QUOTE_SENT', 'CURRENCY_FIXED'].map(
      (reason) => new ApiError('CONFLICT', `Because of ${reason}.`, { reason }),
    );
    const document = await documentOf((app) => {
      const config = { access: 'leads:write', errors: causes } as const;
      app.post('/things', { config, schema: { operationId: 'createThing' } }, async () => 'x');
    });
    const { properties } = document.components.schemas['ConflictFailure'] as {
      properties: { error: { properties: { reason: { enum: string[] } } } };
    };
    expect(properties.error.properties.reason.enum).toEqual(
      expect.arrayContaining(['QUOTE_SENT', 'CURRENCY_FIXED', 'CONCURRENT_CHANGE']),
    );
    expect(codesOf(document, document.paths['/things']!['post']!)[409]).toEqual([
      'CONFLICT',
      'CONFLICT.CURRENCY_FIXED',
      'CONFLICT.CONCURRENT_CHANGE',
    ]);
  });

  it('shows a list of values in one parameter as an array, and a body of bytes as binary', async () => {
    const status = commaList(['new', 'won'], { examples: ['new,won'] });
    const { paths } = await documentOf((app) => {
      const querystring = Type.Object({ status: Type.Optional(status.Schema) }, closed);
      const config = { access: 'public' } as const;
      app.get('/x', { config, schema: { operationId: 'listX', querystring } }, async () => 'x');
      for (const [path, streams] of [
        ['/picture', 'image/png'],
        ['/file', 'text/csv'],
      ] as const) {
        const operationId = `put${path.slice(1)}`;
        app.put(path, { config: { ...config, streams }, schema: { operationId } }, async () => 'x');
      }
    });
    expect(paths['/x']!['get']!.parameters).toMatchObject([
      {
        name: 'status',
        schema: { type: 'array', items: { type: 'string', enum: ['new', 'won'] } },
        style: 'form',
        explode: false,
      },
    ]);
    const bodyOf = (path: string) => JSON.stringify(paths[path]!['put']!.requestBody);
    expect(bodyOf('/picture')).toMatch(/"image\/png".*PutpictureBody/);
    expect(bodyOf('/file')).toMatch(/"text\/csv".*PutfileBody/);
  });

  it('gives PUT and PATCH of one route an operationId each', async () => {
    const { paths } = await documentOf(thingRoutes);
    const ids = Object.entries(paths['/things/{id}']!).map(([method, { operationId }]) => [
      method,
      operationId,
    ]);
    expect(ids.sort()).toEqual([
      ['patch', 'patchThing'],
      ['put', 'updateThing'],
    ]);
  });

  it('is the same at every start', async () => {
    expect(await documentOf(thingRoutes)).toEqual(await documentOf(thingRoutes));
  });
});

describe('a service with a document does not boot', () => {
  const route = (url: string, schema: { operationId?: string; body?: TSchema }) => (app: Service) =>
    void app.post(url, { config: { access: 'public' }, schema }, async () => 'x');

  it.each([
    ['without an operationId', {}, 'POST /x has no operationId'],
    ['with one that is no name', { operationId: 'list-things' }, 'POST /x has no operationId'],
  ])('%s', async (_case, schema, problem) => {
    await expect(buildFixture({ openapi }, route('/x', schema))).rejects.toThrow(problem);
  });

  it.each([
    ['reason', new ApiError('CONFLICT', 'No.', { reason: 'MADE_UP' }), 'the reason MADE_UP of CONFLICT'],
    ['rule', invalidField({ field: 'x', rule: 'madeUp', message: 'is not' }), 'the rule madeUp'],
    ['conflict', new ApiError('CONFLICT', 'No.'), 'CONFLICT without a reason'],
  ])('with a %s that clients have no words for', async (_what, error, problem) => {
    const refusing = (app: Service) =>
      void app.get(
        '/x',
        { config: { access: 'public', errors: [error] }, schema: { operationId: 'getX' } },
        async () => 'x',
      );
    const { app } = await buildFixture({ openapi }, refusing);
    expect(() => app.swagger()).toThrow(`GET /x refuses with ${problem}`);
    await app.close();
  });

  it('with two operations of one name', async () => {
    const both = (app: Service) => {
      route('/x', { operationId: 'listThings' })(app);
      route('/y', { operationId: 'listThings' })(app);
    };
    await expect(buildFixture({ openapi }, both)).rejects.toThrow(
      'POST /x and POST /y both have the operationId listThings.',
    );
  });

  it('with two schemas of one name', async () => {
    const named = (field: string) => Type.Object({ [field]: Type.String() }, { ...closed, title: 'Thing' });
    const both = (app: Service) => {
      route('/x', { operationId: 'createX', body: named('a') })(app);
      route('/y', { operationId: 'createY', body: named('b') })(app);
    };
    const { app } = await buildFixture({ openapi }, both);
    expect(() => app.swagger()).toThrow('Two different schemas have the title Thing');
    const env = { NODE_ENV: 'test', LOG_LEVEL: 'fatal' };
    const process = Object.assign(new EventEmitter(), { env, exit: vi.fn(), exitCode: 0 });
    await runApp(process as unknown as NodeJS.Process, {
      ...{ name: 'fixture-service', version: '1.2.3' },
      config: Type.Object({ ...settings.standardSettings, PORT: settings.port(0) }),
      build: async () => app,
    });
    expect(process.exitCode).toBe(1);
    expect(app.server.listening).toBe(false);
    await app.close();
  });
});

it('a refusal that an operation does not declare is answered, and logged as undeclared', async () => {
  const { app, logs } = await buildFixture({ openapi }, (service) => {
    const config = { access: 'public', errors: [taken] } as const;
    service.get('/x', { config, schema: { operationId: 'getX' } }, async ({ url }) => {
      throw url.includes('?') ? taken : new ApiError('GONE', 'Gone.', { statusCode: 410 });
    });
  });
  expect((await app.inject('/x')).statusCode).toBe(410);
  expect(logs()).toMatch(/"code":"GONE".*do not declare/);
  expect(logs()).not.toMatch(/"code":"NAME_TAKEN".*do not declare/);
  await app.close();
});
