import { acceptFormsOnly, type Service } from '@tenantry/service/http';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { actingIn, contextIn, notLetInRefusals, OrganizationPath, type Caller } from '../ground/index.ts';
import { emailNotVerified } from '../mail/index.ts';
import { secondFactorUndeclared, ssoStillRequired } from '../organizations/index.ts';
import { rememberBrowser } from '../sessions/index.ts';
import {
  continuing,
  invalidCredentials,
  invalidTicket,
  providerUnavailable,
  SignInAnswer,
  signInResponse,
  textsIn,
  TicketBody,
  VisitAnswer,
} from '../sign-in/index.ts';
import {
  certificatesEnded,
  connectionEnabled,
  connectionIncomplete,
  domainMissing,
  identityTaken,
  linkRequired,
  memberRemoved,
  secondFactorFirst,
  signInNotFound,
  tooManyConnections,
  tooManyRoles,
} from './connections.errors.ts';
import type { StoredConnection } from './connections.repository.ts';
import type { ConnectionKey, Connections } from './connections.ts';
import {
  ArrivalListAnswer,
  ChangeConnectionBody,
  ConnectionIdentityBody,
  ConnectionAnswer,
  ConnectionListAnswer,
  ConnectionPath,
  ConnectionTestAnswer,
  CreateConnectionBody,
  LinkConnectionBody,
  SsoBody,
} from './connections.schemas.ts';
import { describeCertificate } from './saml/certificates.ts';
import { metadataOf } from './saml/service-provider.ts';
import type { ConnectionsRoutesOptions } from './wing.ts';

const tags = ['connections'];
/** Of a form: a response has at most 128 KiB, in base64 and encoded for a form. */
const responseBytesMax = 256 * 1_024;
const path = '/api/auth/organization/:organizationId/connections';

/** The identity providers of an organization, and signing in by them. */
export function connectionsRoutes(app: Service, options: ConnectionsRoutesOptions): void {
  administrationRoutes(app, options);
  arrivalsRoute(app, options);
  linkRoutes(app, options);
  signInRoutes(app, options);
  callbackRoute(app, options);
  samlRoutes(app, options);
}

function administrationRoutes(app: Service, { connections, groups, stepUp }: ConnectionsRoutesOptions): void {
  const answer = answerBy(connections);
  const access = 'connections:write';

  app.get(
    path,
    {
      config: { access, errors: notLetInRefusals },
      schema: {
        operationId: 'listConnections',
        tags,
        summary: 'List the connections of an organization to identity providers',
        params: OrganizationPath,
        response: { 200: ConnectionListAnswer },
      },
    },
    async ({ principal }) => {
      const { id: organizationId } = actingIn(principal);
      const all = await connections.list(organizationId, principal.user.id);
      return { connections: all.map((one) => answer(principal, one)) };
    },
  );

  app.post(
    path,
    {
      config: { access, errors: [...notLetInRefusals, tooManyConnections()] },
      schema: {
        operationId: 'createConnection',
        tags,
        summary: 'Begin a connection to an identity provider',
        description:
          'Register the redirect URI of the answer at the identity provider, of SAML also the entity id, and send what it gives in return ' +
          'with PATCH. An organization has at most 5 connections, of which one is on.',
        params: OrganizationPath,
        body: CreateConnectionBody,
        response: { 201: ConnectionAnswer },
      },
    },
    async (request, reply) => {
      const connection = await connections.create(contextIn(request), request.body);
      return reply.code(201).send({ connection: answer(request.principal, connection) });
    },
  );

  app.get(
    `${path}/:connectionId`,
    {
      config: { access, errors: notLetInRefusals },
      schema: {
        operationId: 'getConnection',
        tags,
        summary: 'Get a connection',
        params: ConnectionPath,
        response: { 200: ConnectionAnswer },
      },
    },
    async ({ principal, params }) => {
      const { id: organizationId } = actingIn(principal);
      const connection = await connections.get(organizationId, params.connectionId, principal.user.id);
      return { connection: answer(principal, connection) };
    },
  );

  app.patch(
    `${path}/:connectionId`,
    {
      config: {
        access,
        errors: [
          ...notLetInRefusals,
          ...stepUp.refusals,
          domainMissing(),
          connectionIncomplete(),
          certificatesEnded(),
          connectionEnabled(),
          secondFactorUndeclared(),
          ssoStillRequired(),
          providerUnavailable(),
        ],
      },
      schema: {
        operationId: 'updateConnection',
        tags,
        summary: 'Change a connection, or turn it on or off',
        description:
          'Sensitive. Omitted fields are unchanged. An issuer, of SAML the metadata, is read before it is saved; the issuer changes only ' +
          'while the connection is off; whoever was known there is forgotten. Turning a connection on needs a verified domain: it signs in people with an ' +
          'address there, and nobody else. Turning it off ends its sessions in every service within a second.',
        params: ConnectionPath,
        body: ChangeConnectionBody,
        response: { 200: ConnectionAnswer },
      },
    },
    async (request) => {
      const { principal, params, body, client } = request;
      const { password, ...changes } = body;
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      const connection = await connections.change(contextIn(request), params.connectionId, changes);
      return { connection: answer(principal, connection) };
    },
  );

  app.delete(
    `${path}/:connectionId`,
    {
      config: {
        access,
        errors: [...notLetInRefusals, ...stepUp.refusals, ssoStillRequired(), tooManyRoles()],
      },
      schema: {
        operationId: 'deleteConnection',
        tags,
        summary: 'Delete a connection',
        description:
          'Sensitive. Its sessions end in every service within a second, and so do the roles that groups of its directory gave.',
        params: ConnectionPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, client } = request;
      const context = contextIn(request);
      const { connectionId } = params;
      await stepUp.require(principal, { concerns: 'others', client });
      await connections.remove(context, connectionId, (tx) => groups.endRoles(context, tx, connectionId));
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${path}/:connectionId/test`,
    {
      config: {
        access,
        errors: [
          ...notLetInRefusals,
          ...stepUp.refusals,
          connectionIncomplete(),
          certificatesEnded(),
          providerUnavailable(),
        ],
      },
      schema: {
        operationId: 'testConnection',
        tags,
        summary: 'Read what an identity provider says of itself',
        description: 'Its metadata and keys are read now.',
        params: ConnectionPath,
        response: { 200: ConnectionTestAnswer },
      },
    },
    async (request) => {
      const { principal, params, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      return { test: await connections.test(contextIn(request), params.connectionId) };
    },
  );
}

/** What came of sign-ins and of requests of the directory. */
function arrivalsRoute(app: Service, { arrivals, connections }: ConnectionsRoutesOptions): void {
  app.get(
    `${path}/:connectionId/arrivals`,
    {
      config: { access: 'connections:write', errors: notLetInRefusals },
      schema: {
        operationId: 'listArrivals',
        tags,
        summary: 'List what arrived from an identity provider',
        description:
          'The last 100 sign-ins, and the last 100 requests of the directory that changed or were to change something, newest first, ' +
          'with what came of each.',
        params: ConnectionPath,
        response: { 200: ArrivalListAnswer },
      },
    },
    async ({ principal, params }) => {
      const { id: organizationId } = actingIn(principal);
      await connections.get(organizationId, params.connectionId, principal.user.id);
      return { arrivals: await arrivals.list(organizationId, params.connectionId) };
    },
  );
}

/** Of owners to themselves: no identity provider reaches an owner who has not linked it. */
function linkRoutes(app: Service, { connections, ssoVisits, links, stepUp }: ConnectionsRoutesOptions): void {
  const answer = answerBy(connections);
  const access = 'connections:write';
  const errors = [...notLetInRefusals, ...stepUp.refusals, secondFactorFirst()];

  app.post(
    `${path}/:connectionId/link`,
    {
      config: { access, errors },
      schema: {
        operationId: 'beginConnectionLink',
        tags,
        summary: 'Begin to link your own account at an identity provider',
        description:
          'Sensitive: from a session of `aal2`. Send the browser to `url` within ten minutes, and the ticket that it returns with to ' +
          'POST …/identity. Until then, single sign-on does not sign an owner in.',
        params: ConnectionPath,
        body: LinkConnectionBody,
        response: { 200: VisitAnswer },
      },
    },
    async (request, reply) => {
      const { principal, params, body, client, isBrowser } = request;
      const { password, ...visit } = body;
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      requireTwoFactors(principal);
      const key = { organizationId: actingIn(principal).id, id: params.connectionId };
      const begun = await ssoVisits.beginLink(principal, key, { ...visit, client, isBrowser });
      rememberBrowser(reply);
      return begun;
    },
  );

  app.post(
    `${path}/:connectionId/identity`,
    {
      config: { access, errors: [...errors, invalidTicket(), identityTaken()] },
      schema: {
        operationId: 'linkConnection',
        tags,
        summary: 'Link your own account at an identity provider',
        description: 'Sensitive: from a session of `aal2`.',
        params: ConnectionPath,
        body: ConnectionIdentityBody,
        response: { 201: ConnectionAnswer },
      },
    },
    async (request, reply) => {
      const { principal, params, body, client } = request;
      const { password, ...ticket } = body;
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      requireTwoFactors(principal);
      const context = contextIn(request);
      await connections.get(context.organizationId, params.connectionId, principal.user.id);
      await links.add(context, params.connectionId, { principal, claim: { ...ticket, client } });
      const linked = await connections.get(context.organizationId, params.connectionId, principal.user.id);
      return reply.code(201).send({ connection: answer(principal, linked) });
    },
  );

  app.delete(
    `${path}/:connectionId/identity`,
    {
      config: { access, errors: [...notLetInRefusals, ...stepUp.refusals] },
      schema: {
        operationId: 'unlinkConnection',
        tags,
        summary: 'Unlink your own account at an identity provider',
        description: 'Sensitive.',
        params: ConnectionPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      await links.remove(contextIn(request), params.connectionId);
      return reply.code(204).send(null);
    },
  );
}

function signInRoutes(app: Service, { ssoVisits, ssoSignIns }: ConnectionsRoutesOptions): void {
  app.post(
    '/api/auth/sign-in/sso',
    {
      config: { access: 'public', errors: [signInNotFound()] },
      schema: {
        operationId: 'beginSso',
        tags,
        summary: 'Begin to sign in with the identity provider of an organization',
        description:
          'By the domain of an address, whether or not it has an account, or at an organization. Send the browser to `url` within ' +
          'ten minutes. It returns to `redirectTo` with a ticket in the fragment, which only this device can exchange at ' +
          '/sign-in/sso/ticket, or with the code of an error. A client that keeps no cookies must send `codeChallenge`.',
        body: SsoBody,
        response: { 200: VisitAnswer },
      },
    },
    async ({ body, client, isBrowser }, reply) => {
      const { redirectTo, codeChallenge, ...seeker } = body;
      const begun = await ssoVisits.begin(seeker, { redirectTo, codeChallenge, client, isBrowser });
      rememberBrowser(reply);
      return begun;
    },
  );

  app.post(
    '/api/auth/sign-in/sso/ticket',
    {
      config: {
        access: 'public',
        errors: [
          ...notLetInRefusals,
          invalidTicket(),
          invalidCredentials(),
          emailNotVerified(),
          linkRequired(),
          memberRemoved(),
          identityTaken(),
        ],
      },
      schema: {
        operationId: 'redeemSsoTicket',
        tags,
        summary: 'Sign in with the ticket of an identity provider',
        description: `The ticket is valid once, for a minute, on the device that started the sign-in. The session reaches the organization of the identity provider alone. ${continuing}`,
        body: TicketBody,
        response: { 200: SignInAnswer },
      },
    },
    async ({ body, client }, reply) => signInResponse(reply, await ssoSignIns.signIn({ ...body, client })),
  );
}

/** Where identity providers send browsers back to. No cookie is read or set, as of other providers. */
function callbackRoute(app: Service, { ssoVisits }: ConnectionsRoutesOptions): void {
  const schema: FastifySchema & { readonly hide: true } = { hide: true };
  app.get(
    '/api/auth/sso/:organizationId/:connectionId/callback',
    // A scanner's HEAD must not consume the response.
    { config: { access: 'public' }, schema: { ...schema, params: ConnectionPath }, exposeHeadRoute: false },
    async (request, reply) => {
      const { organizationId, connectionId: id } = request.params;
      const parameters = textsIn(request.query);
      const client = { ipAddress: request.ip };
      const returned = { key: { organizationId, id }, by: 'redirect', parameters, client } as const;
      return reply.redirect(await ssoVisits.finish(returned), 303);
    },
  );
}

/** What IdPs of SAML read, and where they have browsers post their responses: pages of other sites, so that no cookie is read or set. */
function samlRoutes(app: Service, { connections, ssoVisits }: ConnectionsRoutesOptions): void {
  const path = '/api/auth/sso/:organizationId/:connectionId';
  const schema: FastifySchema & { readonly hide: true } = { hide: true };

  app.get(
    `${path}/metadata`,
    { config: { access: 'public' }, schema: { ...schema, params: ConnectionPath } },
    async ({ params: { organizationId, connectionId: id } }, reply) => {
      const serviceProvider = await connections.publicServiceProvider({ organizationId, id });
      return reply.type('application/samlmetadata+xml').send(metadataOf(serviceProvider));
    },
  );

  void app.register(async (scope: Service) => {
    acceptFormsOnly(scope);
    scope.post(
      `${path}/acs`,
      {
        bodyLimit: responseBytesMax,
        config: { access: 'public', foreignForms: true },
        schema: { ...schema, params: ConnectionPath },
      },
      async (request, reply) => {
        const { organizationId, connectionId: id } = request.params;
        const parameters = textsIn(request.body);
        const client = { ipAddress: request.ip };
        const returned = { key: { organizationId, id }, by: 'form', parameters, client } as const;
        return reply.redirect(await ssoVisits.finish(returned), 303);
      },
    );
  });
}

/** Whoever has a second factor has just shown it. */
function requireTwoFactors({ session }: { readonly session: { readonly acr: string } }): void {
  if (session.acr !== 'aal2') throw secondFactorFirst();
}

/** Shows a connection as its owners see it: never its secret. */
const answerBy = (connections: Connections) => (principal: Caller, stored: StoredConnection) => {
  const { id, kind, name, issuer, clientId, provesSecondFactor, people, isLinked, createdBy } = stored;
  return {
    ...{ id, kind, name, issuer, clientId, provesSecondFactor, people, isLinked, createdBy },
    hasSecret: stored.encryptedSecret !== null,
    enabled: stored.enabledAt !== null,
    ...registrationOf(connections, { organizationId: actingIn(principal).id, id }, stored),
    createdAt: stored.createdAt.toISOString(),
    usedAt: stored.usedAt?.toISOString() ?? null,
  };
};

/** What is registered at the IdP, and of SAML what is known of it. */
function registrationOf(connections: Connections, key: ConnectionKey, stored: StoredConnection) {
  if (stored.kind !== 'saml') return { redirectUri: connections.redirectUriOf(key), saml: null };
  const { entityId, acsUrl: redirectUri } = connections.serviceProviderOf(key);
  const { metadata, metadataUrl, metadataReadAt } = stored;
  const certificates = (metadata?.certificates ?? []).map((one) => {
    const { fingerprint, subject, endsAt } = describeCertificate(one);
    return { fingerprint, subject, endsAt: endsAt.toISOString() };
  });
  const readAt = metadataReadAt?.toISOString() ?? null;
  return {
    redirectUri,
    saml: { entityId, ssoUrl: metadata?.ssoUrl ?? null, metadataUrl, readAt, certificates },
  };
}
