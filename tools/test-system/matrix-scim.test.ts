import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { Api, bearer } from './matrix/people.ts';
import { newDirectory, newKey } from './matrix/requests/auth-service.ts';
import { servicesAt } from './matrix/services.ts';
import { uselessCallers } from './matrix/useless-tokens.ts';
import { send, type WireAnswer } from './matrix/wire.ts';

/** The routes of SCIM, which no OpenAPI document describes: directories discover them by SCIM's own means. */
const services = servicesAt(inject('whereabouts'));
const api = await Api.of(services);
const [ours, theirs, useless] = await Promise.all([
  api.newTenant(),
  api.newTenant(),
  uselessCallers(api, inject('personOfThePast')),
]);
const directory = await newDirectory(ours);
const foreign = await newDirectory(theirs);
const { key } = await newKey(ours);

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
const newPerson = () => {
  const userName = `ada.${randomUUID().slice(0, 8)}@${directory.domain}`;
  return { schemas, userName, displayName: 'Ada Lovelace', active: true };
};
const leave = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };

const withBearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sends a request, at the gateway or at the service. */
function ask(
  [method, path, body]: readonly [string, string, (object | undefined)?],
  headers: Readonly<Record<string, string>>,
  origin: 'auth-service' | 'gateway' = 'gateway',
): Promise<WireAnswer> {
  const typed = body === undefined ? {} : { 'content-type': 'application/scim+json' };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return send(services.urlOf(origin), { method, path, headers: { ...typed, ...headers }, body: text });
}

/** Somebody in the directory. */
async function added(): Promise<string> {
  const { status, text } = await ask(
    ['POST', `${directory.at}/Users`, newPerson()],
    withBearer(directory.token),
  );
  expect(status, text).toBe(201);
  return (JSON.parse(text) as { id: string }).id;
}

/** A group of the directory. */
async function grouped(): Promise<string> {
  const group = { displayName: `Sales ${randomUUID()}` };
  const { status, text } = await ask(['POST', `${directory.at}/Groups`, group], withBearer(directory.token));
  expect(status, text).toBe(201);
  return (JSON.parse(text) as { id: string }).id;
}
const renamed = () => ({ displayName: `Buyers ${randomUUID()}` });

/** Every route, with a lawful request. */
const routes: Readonly<Record<string, () => Promise<readonly [string, string, object?]>>> = {
  'GET /ServiceProviderConfig': async () => ['GET', `${directory.at}/ServiceProviderConfig`],
  'GET /ResourceTypes': async () => ['GET', `${directory.at}/ResourceTypes`],
  'GET /Schemas': async () => ['GET', `${directory.at}/Schemas`],
  'GET /Users': async () => ['GET', `${directory.at}/Users?filter=userName%20eq%20%22ada%22`],
  'POST /Users': async () => ['POST', `${directory.at}/Users`, newPerson()],
  'GET /Users/:userId': async () => ['GET', `${directory.at}/Users/${await added()}`],
  'PUT /Users/:userId': async () => ['PUT', `${directory.at}/Users/${await added()}`, newPerson()],
  'PATCH /Users/:userId': async () => ['PATCH', `${directory.at}/Users/${await added()}`, leave],
  'DELETE /Users/:userId': async () => ['DELETE', `${directory.at}/Users/${await added()}`],
  'GET /Groups': async () => ['GET', `${directory.at}/Groups`],
  'POST /Groups': async () => ['POST', `${directory.at}/Groups`, renamed()],
  'GET /Groups/:groupId': async () => ['GET', `${directory.at}/Groups/${await grouped()}`],
  'PUT /Groups/:groupId': async () => ['PUT', `${directory.at}/Groups/${await grouped()}`, renamed()],
  'PATCH /Groups/:groupId': async () => [
    'PATCH',
    `${directory.at}/Groups/${await grouped()}`,
    { Operations: [{ op: 'remove', path: 'members' }] },
  ],
  'DELETE /Groups/:groupId': async () => ['DELETE', `${directory.at}/Groups/${await grouped()}`],
};

describe.each(Object.entries(routes))('%s of SCIM', (_, prepare) => {
  it.each(['auth-service', 'gateway'] as const)('does what its directory asks, by %s', async (origin) => {
    const { status, headers } = await ask(await prepare(), withBearer(directory.token), origin);
    expect(status).toBeLessThan(300);
    if (status !== 204) expect(headers['content-type']).toBe('application/scim+json');
  });

  it('reveals nothing to anybody else, and does nothing for them [S-261]', async () => {
    const request = await prepare();
    const others = {
      ...useless,
      'an owner': bearer(ours.owner),
      'an admin': bearer(ours.admin),
      'a member': bearer(ours.member),
      'the directory of another organization': withBearer(foreign.token),
      'a made-up token': withBearer(`${directory.token.slice(0, -6)}AAAAAA`),
      'an empty token': { authorization: 'Bearer ' },
    };
    for (const origin of ['auth-service', 'gateway'] as const) {
      for (const [caller, headers] of Object.entries(others)) {
        const { status, text, headers: answered } = await ask(request, headers, origin);
        expect({ origin, caller, status }).toEqual({ origin, caller, status: 401 });
        expect(answered['content-type']).toBe('application/scim+json');
        expect(answered['www-authenticate']).toMatch(/^Bearer\b/);
        expect(JSON.parse(text)).toMatchObject({ status: '401' });
      }
      const { status, text } = await ask(request, withBearer(key), origin);
      expect({ origin, status, said: (JSON.parse(text) as { status: string }).status }).toEqual({
        origin,
        status: 403,
        said: '403',
      });
    }
    const { status } = await ask(request, withBearer(directory.token));
    expect(status).toBeLessThan(300);
  });

  it("answers another directory's person like one that does not exist [S-263]", async () => {
    const [method, path, body] = await prepare();
    if (!/\/(?:Users|Groups)\//.test(path)) return;
    const own = path.replace(directory.at, foreign.at);
    const { status } = await ask([method, own, body], withBearer(foreign.token));
    expect(status).toBe(404);
  });
});
