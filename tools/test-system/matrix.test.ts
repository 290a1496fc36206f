import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@tenantry/contracts';
import { workspaceRoot } from '@tenantry/dev-database';
import { describe, expect, inject, it } from 'vitest';
import { anonymousFromOtherPages, fromOtherPages, fromOwnPage } from './matrix/browser.ts';
import { isReachedConfined, whileConfined } from './matrix/confined.ts';
import { departureFromDocument, departureFromSchema } from './matrix/description.ts';
import {
  idIn,
  idsNamedBy,
  inCapitals,
  lawfulRequest,
  lawfulRequests,
  whereMissing,
  wireRequest,
  withIds,
} from './matrix/lawful-requests.ts';
import { isUnsafe, nameOf, readOperations, type Operation } from './matrix/operations.ts';
import { Api, bearer } from './matrix/people.ts';
import { lastingName, newDirectory, newKey } from './matrix/requests/auth-service.ts';
import { servicesAt } from './matrix/services.ts';
import { uselessCallers } from './matrix/useless-tokens.ts';
import { comparable, send, type WireAnswer, type WireRequest } from './matrix/wire.ts';

const services = servicesAt(inject('whereabouts'));
const api = await Api.of(services);
const [operations, ours, theirs, useless] = await Promise.all([
  readOperations(services),
  api.newTenant(),
  api.newTenant(),
  uselessCallers(api, inject('personOfThePast')),
]);
const { roles } = await api.call<{ roles: Record<'owner' | 'admin' | 'member', string[]> }>(
  'GET /api/auth/organization/permissions',
  undefined,
  ours.owner,
);

/** A service account of ours that may do what an admin may. */
const program = await newProgram();
async function newProgram(): Promise<{ readonly key: string; readonly token: string }> {
  const { key } = await newKey(ours, { role: 'admin', name: lastingName });
  const { token } = await api.call<{ token: string }>(`POST ${contracts.serviceTokenPath}`, { key });
  return { key, token };
}

/** The directory of an organization that no request of the matrix is about: its connection stays. */
const directory = await newDirectory(await api.newTenant());

const withBearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** Sends a request to the service of an operation; its answer is as the document describes it. */
async function ask(operation: Operation, request: WireRequest): Promise<WireAnswer> {
  const answer = await send(services.urlOf(operation.service), request);
  expect(departureFromDocument(operation, answer)).toBeUndefined();
  return answer;
}

/** The code of a refusal, plain or in the envelope. */
function codeIn({ text }: WireAnswer): string | undefined {
  const body = JSON.parse(text) as { code?: string; error?: { code: string } };
  return body.code ?? body.error?.code;
}

const refusal = (answer: WireAnswer) => ({ status: answer.status, code: codeIn(answer) });

/** A source with the paths that contracts name written out. */
const withPaths = (source: string): string =>
  source.replaceAll(/\b(\w+Path)\b(?:\('(:\w+)'\))?/g, (name, key: keyof typeof contracts, id?: string) => {
    const path = contracts[key] as string | ((id: string) => string) | undefined;
    if (typeof path === 'function' && id !== undefined) return `'${path(id)}'`;
    return typeof path === 'string' ? `'${path}'` : name;
  });

describe('what services tell each other', () => {
  const auth = services.urlOf('auth-service');
  const key = { authorization: `Bearer ${services.internalApiKey}` };
  const open = ['GET /internal/revocations'];
  const behindTheKey = [
    'GET /internal/events',
    'POST /internal/users',
    'POST /internal/users/disable',
    'POST /internal/users/enable',
    'POST /internal/users/reset-two-factor',
    'PATCH /internal/users/:id',
    'DELETE /internal/users/:id',
    'GET /internal/organizations/:organizationId/logo',
    'POST /internal/organizations/:organizationId/exports',
    'POST /internal/organizations/:organizationId/import',
    'GET /internal/organizations/deleted',
    'GET /internal/organizations/:organizationId',
    'POST /internal/organizations/:organizationId/restore',
    'POST /internal/quote-accepted',
  ];
  const parts = (name: string) =>
    name.replace(':id', ours.owner.id).replace(':organizationId', ours.organizationId).split(' ') as [
      string,
      string,
    ];

  it('is all that no document describes', () => {
    const sources = globSync(['apps/*/src/**/*.ts', 'libs/service/src/**/*.ts'], { cwd: workspaceRoot });
    const text = (file: string) => readFileSync(join(workspaceRoot, file), 'utf8');
    const hiding = sources.filter((file) => text(file).includes('hide: true'));
    expect(hiding.sort()).toEqual([
      // Where identity providers send people back, as providers do below.
      'apps/auth-service/src/connections/connections.routes.ts',
      'apps/auth-service/src/events/feeds/feeds.routes.ts',
      'apps/auth-service/src/organizations/deletions/deletions.routes.ts',
      'apps/auth-service/src/organizations/exports/exports.routes.ts',
      'apps/auth-service/src/organizations/imports/imports.routes.ts',
      'apps/auth-service/src/organizations/logos/logos.routes.ts',
      'apps/auth-service/src/provisioning/provisioning.routes.ts',
      // Directories discover these by SCIM's own means: matrix-scim.test.ts asks them.
      'apps/auth-service/src/provisioning/scim/scim.routes.ts',
      // Where providers send people back: its parameters are theirs to choose.
      'apps/auth-service/src/sign-in/methods/providers/providers.routes.ts',
      'apps/gateway/src/docs/docs.plugin.ts',
      'apps/gateway/src/proxy/forward.plugin.ts',
      'apps/leads-service/src/leads/accepted-quotes.routes.ts',
      // The customer's page: HTML for people, by the token in a link.
      'apps/quotation-service/src/offers/offers.routes.ts',
      'libs/service/src/openapi/document.ts',
    ]);
    const routes = sources.filter((file) => file.endsWith('.routes.ts'));
    const paths = routes.flatMap(
      (file) => withPaths(text(file)).match(/(?<=')\/internal\/[^']+(?=')/g) ?? [],
    );
    const known = [...open, ...behindTheKey].map((name) => name.split(' ')[1]);
    expect(new Set(paths)).toEqual(new Set(known));
  });

  it.each(behindTheKey)('by %s needs the key of the services [S-117]', async (name) => {
    const [method, path] = parts(name);
    const service = path === '/internal/quote-accepted' ? services.urlOf('leads-service') : auth;
    const others = Object.entries(useless).filter(([caller]) => caller !== 'the key of the services');
    for (const [caller, headers] of [...others, ['an owner', bearer(ours.owner)] as const]) {
      const answer = await send(service, { method, path, headers });
      expect({ caller, ...refusal(answer) }).toEqual({ caller, status: 401, code: 'UNAUTHENTICATED' });
    }
    const { status } = await send(service, { method, path, headers: key });
    // The requests are incomplete: no user is made, renamed, removed or restored here, and no organization has a logo yet.
    const expected = path.endsWith('/logo') ? 404 : 200;
    expect(status).toBe(method === 'GET' ? expected : 400);
  });

  it.each(open)('by %s needs none: it names no user', async (name) => {
    const [method, path] = parts(name);
    expect((await send(auth, { method, path })).status).toBe(200);
  });

  it('is not reached through the gateway [S-117]', async () => {
    const roundabout = ['/api/auth/../..', '/api/auth/%2e%2e/%2e%2e', '/'].map(
      (way) => `GET ${way}/internal/events`,
    );
    for (const name of [...open, ...behindTheKey, ...roundabout]) {
      const [method, path] = parts(name);
      const { status } = await send(services.urlOf('gateway'), { method, path, headers: key });
      expect({ name, status }).toEqual({ name, status: expect.toBeOneOf([400, 404]) as number });
    }
  });
});

it('has one lawful request for every operation that is documented, and none for any other [S-113]', () => {
  const missing = operations.filter((operation) => !(nameOf(operation) in lawfulRequests)).map(whereMissing);
  expect(missing).toEqual([]);
  const documented = new Set(operations.map(nameOf));
  expect(Object.keys(lawfulRequests).filter((name) => !documented.has(name))).toEqual([]);
});

describe('the OpenAPI documents', () => {
  it('show every refusal by an example that fits its schema', () => {
    for (const operation of operations) {
      for (const [status, { content }] of Object.entries(operation.answers)) {
        const { schema, examples = {} } = content?.['application/json'] ?? {};
        for (const { value } of Object.values(examples)) {
          const departure = schema && departureFromSchema(schema, value);
          expect({ operation: nameOf(operation), status, departure }).toMatchObject({ departure: undefined });
        }
      }
    }
  });

  it('show every body by an example that fits its schema', () => {
    for (const operation of operations.filter(({ body }) => body !== undefined)) {
      const departure = departureFromSchema(operation.body ?? {}, operation.bodyExample);
      expect({ operation: nameOf(operation), departure }).toMatchObject({ departure: undefined });
    }
  });
});

describe.each(operations.map((operation) => [nameOf(operation), operation] as const))(
  '%s',
  (_, operation) => {
    const { access, pathIds, service } = operation;

    it(`of ${service} answers a lawful request as documented`, async () => {
      const { status } = await ask(operation, wireRequest(operation, await lawfulRequest(operation, ours)));
      expect(status).toBeLessThan(300);
    });

    if (access !== 'public') {
      it('reveals nothing without a good token, not even what exists [S-86]', async () => {
        const request = await lawfulRequest(operation, ours);
        const unknownRequest = withIds(request, pathIds, () => randomUUID());
        for (const [caller, headers] of Object.entries(useless)) {
          const answer = await ask(operation, wireRequest(operation, request, headers));
          expect({ caller, ...refusal(answer) }).toEqual({ caller, status: 401, code: 'UNAUTHENTICATED' });
          expect(answer.headers['www-authenticate'], caller).toMatch(/^Bearer\b/);
          const unknown = await ask(operation, wireRequest(operation, unknownRequest, headers));
          expect(comparable(answer), caller).toEqual(comparable(unknown));
        }
      });
    }

    const isOfAuth = operation.path.startsWith('/api/auth/');
    if (isOfAuth && operation.path !== contracts.serviceTokenPath) {
      it('lets no service account in [S-95]', async () => {
        const request = await lawfulRequest(operation, ours);
        for (const credential of [program.key, program.token]) {
          const answer = await ask(operation, wireRequest(operation, request, withBearer(credential)));
          expect(refusal(answer)).toEqual({ status: 403, code: 'USER_REQUIRED' });
        }
      });
    }

    if (operation.path.startsWith(`${services.prefixOf(service)}/`)) {
      it('lets no directory in, which provisions people and does nothing else [S-261]', async () => {
        const request = wireRequest(
          operation,
          await lawfulRequest(operation, ours),
          withBearer(directory.token),
        );
        for (const origin of isOfAuth ? ['auth-service', 'gateway'] : ['gateway']) {
          const answer = await send(services.urlOf(origin), request);
          expect({ origin, ...refusal(answer) }).toEqual({ origin, status: 403, code: 'USER_REQUIRED' });
        }
      });
    }

    if (!isOfAuth && access !== 'public') {
      it('does for a key what its role may, or says that it needs a user', async () => {
        const request = wireRequest(operation, await lawfulRequest(operation, ours), withBearer(program.key));
        const answer = await send(services.urlOf('gateway'), request);
        expect(departureFromDocument(operation, answer)).toBeUndefined();
        if (answer.status < 300) expect(roles.admin).toContain(access);
        else if (roles.admin.includes(access)) expect(codeIn(answer)).toBe('USER_REQUIRED');
        else
          expect(refusal(answer)).toEqual({
            status: 403,
            code: expect.stringMatching(/^(?:FORBIDDEN|USER_REQUIRED)$/) as string,
          });
      });
    }

    if (access !== 'public') {
      it('is reached by a session that is confined to its organization, or says that one needs to sign in', async () => {
        const request = await lawfulRequest(operation, ours);
        const by = request.by ?? ours.owner;
        const asked = () => ask(operation, wireRequest(operation, { ...request, by }));
        const answer = await whileConfined(inject('whereabouts'), by, asked);
        if (isReachedConfined(operation)) expect(answer.status, answer.text).toBeLessThan(300);
        else expect(refusal(answer)).toEqual({ status: 403, code: 'SIGN_IN_REQUIRED' });
      });
    }

    const lowerRoles = (['admin', 'member'] as const).filter(
      (role) => roles.owner.includes(access) && !roles[role].includes(access),
    );
    it.each(lowerRoles)('is forbidden to the role %s [S-113]', async (role) => {
      const lawful = await lawfulRequest(operation, ours);
      // In the organization of the role, whichever one the lawful request was about.
      const request = { ...withIds(lawful, ['organizationId'], () => ours.organizationId), by: ours[role] };
      const answer = await ask(operation, wireRequest(operation, request));
      expect(refusal(answer)).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    const ids = idsNamedBy(operation);
    if (ids.length > 0) {
      it("answers another organization's id like one that does not exist [S-113]", async () => {
        const [own, foreign] = await Promise.all([
          lawfulRequest(operation, ours),
          lawfulRequest(operation, theirs),
        ]);
        for (const changed of [...ids.map((id) => [id]), ids]) {
          const theirId = withIds(own, changed, (id) => idIn(foreign, id));
          const noId = withIds(own, changed, () => randomUUID());
          const answer = await ask(operation, wireRequest(operation, theirId));
          expect(refusal(answer)).toEqual({ status: 404, code: 'NOT_FOUND' });
          expect(comparable(answer)).toEqual(comparable(await ask(operation, wireRequest(operation, noId))));
        }
      });
    }

    if (pathIds.length > 0 || JSON.stringify(operation.body ?? {}).includes('"uuid"')) {
      it('takes ids in capitals through the gateway as it does in small letters [S-137]', async () => {
        const { by, file, ...named } = await lawfulRequest(operation, ours);
        const request = { ...inCapitals(named), ...(by && { by }), ...(file && { file }) };
        const answer = await send(services.urlOf('gateway'), wireRequest(operation, request));
        expect(answer.status, answer.text).toBeLessThan(300);
        expect(departureFromDocument(operation, answer)).toBeUndefined();
        for (const id of pathIds) expect(answer.text).not.toContain(request.path?.[id]);
      });
    }

    const queryIds = Object.keys(operation.query).filter((name) => operation.query[name]?.format === 'uuid');
    it.each(queryIds)('finds by a %s in capitals what it finds in small letters [S-137]', async (name) => {
      const lawful = await lawfulRequest(operation, ours);
      const found = async (id: string) => {
        const request = { ...lawful, query: { ...lawful.query, [name]: id } };
        return send(services.urlOf('gateway'), wireRequest(operation, request));
      };
      const [small, large] = [await found(ours.owner.id), await found(ours.owner.id.toUpperCase())];
      expect(large.status, large.text).toBe(200);
      expect(comparable(large)).toEqual(comparable(small));
    });

    if (access !== 'public') {
      it('serves a browser by its cookie through the gateway, as documented', async () => {
        const request = await lawfulRequest(operation, ours);
        const headers = await fromOwnPage(api, request.by ?? ours.owner);
        const answer = await send(services.urlOf('gateway'), wireRequest(operation, request, headers));
        expect(answer.status, answer.text).toBeLessThan(300);
        expect(departureFromDocument(operation, answer)).toBeUndefined();
      });
    }

    if (isUnsafe(operation)) {
      it('does nothing that another page makes a browser send [S-126]', async () => {
        const request = await lawfulRequest(operation, ours);
        const pages =
          access === 'public'
            ? Object.entries(anonymousFromOtherPages).map(([page, headers]) => ({
                page,
                headers,
                code: 'ORIGIN_NOT_ALLOWED',
              }))
            : Object.entries(await fromOtherPages(api, request.by ?? ours.owner, theirs.owner)).map(
                ([page, sent]) => ({ page, ...sent }),
              );
        for (const { page, headers, code } of pages) {
          const answer = await send(services.urlOf('gateway'), wireRequest(operation, request, headers));
          expect({ page, ...refusal(answer) }).toEqual({ page, status: 403, code });
        }
      });
    }

    it.each(pathIds)('refuses a malformed %s by its name', async (id) => {
      const request = withIds(await lawfulRequest(operation, ours), [id], () => 'no-uuid');
      const answer = await ask(operation, wireRequest(operation, request));
      expect(refusal(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(answer.text).toContain(`"field":"${id}"`);
    });
  },
);
