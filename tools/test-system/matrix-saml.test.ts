import { randomUUID } from 'node:crypto';
import { SamlProvider } from '@tenantry/test-kit';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { isReachedConfined } from './matrix/confined.ts';
import { codeVerifier } from './matrix/identity-provider.ts';
import { lawfulRequest, wireRequest } from './matrix/lawful-requests.ts';
import { readOperations } from './matrix/operations.ts';
import { Api, bearer, type Person } from './matrix/people.ts';
import { liveSamlConnection, visit } from './matrix/requests/auth-service.ts';
import { servicesAt } from './matrix/services.ts';
import { send } from './matrix/wire.ts';

/** The matrix has sessions confined in the database; this one was started by a real identity provider of SAML. */
const services = servicesAt(inject('whereabouts'));
const api = await Api.of(services);
const [idp, operations, ours, theirs] = await Promise.all([
  SamlProvider.listen(afterAll),
  readOperations(services),
  api.newTenant(),
  api.newTenant(),
]);
const grace = await signIn();

async function signIn(): Promise<Person> {
  // Its page is elsewhere for the services, which call none of it: what they know was given one by one.
  const given = { ssoUrl: 'https://idp.example/sso', certificates: [idp.signer.certificate] };
  const live = await liveSamlConnection(ours, { ...given, entityId: idp.entityId });
  const email = `grace.${randomUUID()}@${live.domain}`;
  const { url } = await api.call<{ url: string }>('POST /api/auth/sign-in/sso', { email, ...visit });
  const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  idp.visitor = {
    nameId: randomUUID(),
    nameIdFormat: persistent,
    attributes: { email, displayName: 'Grace' },
  };
  const { action, fields } = await idp.visit(idp.ssoUrl + new URL(url).search);
  expect(action).toBe(live.redirectUri);
  const posted = await send(services.urlOf('gateway'), {
    ...{ method: 'POST', path: new URL(action).pathname },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  const fragment = new URL(String(posted.headers['location'])).hash.slice(1);
  const ticket = new URLSearchParams(fragment).get('ticket') ?? '';
  const body = { ticket, codeVerifier };
  const { user, session } = await api.call<{ user: { id: string }; session: Person['session'] }>(
    'POST /api/auth/sign-in/sso/ticket',
    body,
  );
  return { ...ours.member, id: user.id, email, organizationId: ours.organizationId, session };
}

const codeIn = (text: string) =>
  JSON.parse(text || '{}') as { code?: string; error?: { code?: string } | null };

describe('a session that an identity provider of SAML has started', () => {
  const isOfOwn = (ids: readonly string[]) => ids.every((id) => id === 'organizationId');
  const reading = operations.filter(
    ({ method, access, pathParameters }) =>
      method === 'GET' && access !== 'public' && isOfOwn(pathParameters),
  );

  it('reads what a member may of its organization, and nothing else [S-209]', async () => {
    expect(reading.length).toBeGreaterThan(20);
    const { roles } = await api.call<{ roles: { member: string[] } }>(
      'GET /api/auth/organization/permissions',
      undefined,
      ours.owner,
    );
    for (const operation of reading) {
      const request = await lawfulRequest(operation, ours);
      const answer = await send(
        services.urlOf(operation.service),
        wireRequest(operation, { ...request, by: grace }),
      );
      const { operationId, access } = operation;
      const { code, error } = codeIn(answer.headers['content-type']?.includes('json') ? answer.text : '');
      const got = { operationId, status: answer.status, code: code ?? error?.code };
      const mayRead = access === 'signed-in' || roles.member.includes(access);
      if (!isReachedConfined(operation)) expect(got).toMatchObject({ status: 403, code: 'SIGN_IN_REQUIRED' });
      else if (!mayRead) expect(got).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      else expect(got).toMatchObject({ status: 200 });
    }
  });

  it('finds no other organization [S-209]', async () => {
    for (const origin of ['auth-service', 'gateway']) {
      const path = `/api/auth/organization/${theirs.organizationId}`;
      const headers = bearer(grace);
      const answer = await send(services.urlOf(origin), { method: 'GET', path, headers });
      expect([403, 404]).toContain(answer.status);
      expect(answer.text).not.toContain(theirs.organizationId);
    }
  });
});
