import { acceptFormsOnly, type Service } from '@tenantry/service/http';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { emailNotVerified } from '../../../mail/index.ts';
import { rememberBrowser } from '../../../sessions/index.ts';
import { signInResponse } from '../../sign-in.responses.ts';
import { invalidCredentials } from '../../sign-in.errors.ts';
import { continuing } from '../../sign-in.schemas.ts';
import { lastWayIn } from '../../ways-in/ways-in.errors.ts';
import { textsIn } from '../../flows/returned-texts.http.ts';
import type { SignInRoutesOptions } from '../../wing.ts';
import { invalidTicket } from '../../flows/flows.errors.ts';
import {
  emailMissing,
  identityInUse,
  identityNotFound,
  invitedAddressTaken,
  providerNotFound,
  providerUnavailable,
  tooManyIdentities,
} from './providers.errors.ts';
import {
  AddIdentityBody,
  IdentityAnswer,
  LinkBody,
  SocialSignInBody,
  TicketAnswer,
  TicketBody,
  VisitAnswer,
} from './providers.schemas.ts';
import { IdPath, OwnPasswordBody } from '../../../ground/index.ts';

const tags = ['sessions'];

/** Routes to sign in by a provider, and to link and unlink provider accounts. */
export function providersRoutes(app: Service, options: SignInRoutesOptions): void {
  beginRoute(app, options);
  ticketRoute(app, options);
  identitiesRoutes(app, options);
  void app.register(async (scope: Service) => callbackRoutes(scope, options));
}

function beginRoute(app: Service, { providerVisits, access }: SignInRoutesOptions): void {
  app.post(
    '/api/auth/sign-in/social',
    {
      config: { access: 'public', errors: [providerNotFound(), providerUnavailable()] },
      schema: {
        operationId: 'beginSocialSignIn',
        tags,
        summary: 'Begin to sign in with a provider',
        description:
          'Send the browser to `url` within ten minutes. It returns to `redirectTo` with a ticket in the fragment, which only ' +
          'this device can exchange at /sign-in/ticket. A client that keeps no cookies must send `codeChallenge`.',
        body: SocialSignInBody,
        response: { 200: VisitAnswer },
      },
    },
    async (request, reply) => {
      const { body, client, isBrowser } = request;
      const isStepUp = (await access.carriedBy(request)) !== undefined;
      const visit = { ...body, intent: 'sign-in', client, isBrowser, isStepUp } as const;
      const { url, expiresAt } = await providerVisits.begin(visit);
      rememberBrowser(reply);
      return { url, expiresAt: expiresAt.toISOString() };
    },
  );
}

/**
 * Where providers send browsers back to, by a redirect or a posted form. No cookie is read or set: anyone who opens such an
 * address gets a ticket that works only on the device that began the sign-in.
 */
function callbackRoutes(app: Service, { providerVisits }: SignInRoutesOptions): void {
  acceptFormsOnly(app);
  const config = { access: 'public', foreignForms: true } as const;
  // For browsers: not an operation of the API, and the provider chooses the query.
  const schema: FastifySchema & { readonly hide: true } = { hide: true };

  async function finish(request: FastifyRequest, reply: FastifyReply, given: unknown) {
    const { provider } = request.params as { readonly provider: string };
    const returned = { provider, parameters: textsIn(given), client: { ipAddress: request.ip } };
    return reply.redirect(await providerVisits.finish(returned), 303);
  }

  const path = '/api/auth/callback/:provider';
  // A scanner's HEAD must not consume the response.
  app.get(path, { config, schema, exposeHeadRoute: false }, (request, reply) =>
    finish(request, reply, request.query),
  );
  app.post(path, { config, schema }, (request, reply) => finish(request, reply, request.body));
}

function ticketRoute(app: Service, { providerSignIns, signIns, access }: SignInRoutesOptions): void {
  app.post(
    '/api/auth/sign-in/ticket',
    {
      config: {
        access: 'public',
        errors: [
          invalidTicket(),
          invalidCredentials(),
          emailMissing(),
          emailNotVerified(),
          invitedAddressTaken(),
          identityInUse(),
          tooManyIdentities(),
        ],
      },
      schema: {
        operationId: 'redeemTicket',
        tags,
        summary: 'Sign in with the ticket of a provider',
        description: `The ticket is valid once, for a minute, on the device that started the sign-in. If the provider does not vouch for the address, a code is mailed to it. ${continuing}`,
        body: TicketBody,
        response: { 200: TicketAnswer },
      },
    },
    async (request, reply) => {
      const { body, client } = request;
      const carried = await access.carriedBy(request);
      const opened = await providerSignIns.open({ ...body, client });
      if ('expiresAt' in opened) {
        const { id, expiresAt } = opened;
        return { codeRequired: true as const, request: { id, expiresAt: expiresAt.toISOString() } };
      }
      return signInResponse(reply, await signIns.by(providerSignIns, opened, carried));
    },
  );
}

function identitiesRoutes(
  app: Service,
  { providerVisits, identityLinks, stepUp }: SignInRoutesOptions,
): void {
  const { refusals } = stepUp;

  app.post(
    '/api/auth/identities/link',
    {
      config: { access: 'signed-in', errors: [...refusals, providerNotFound(), providerUnavailable()] },
      schema: {
        operationId: 'beginIdentityLink',
        tags,
        summary: 'Begin to link an account at a provider',
        description: 'Sensitive. Like /sign-in/social, but send the ticket to POST /api/auth/identities.',
        body: LinkBody,
        response: { 200: VisitAnswer },
      },
    },
    async ({ principal, body, client, isBrowser }, reply) => {
      const { password, ...visit } = body;
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      const link = { intent: 'link', principal, isStepUp: false } as const;
      const begun = await providerVisits.begin({ ...visit, ...link, client, isBrowser });
      rememberBrowser(reply);
      return { url: begun.url, expiresAt: begun.expiresAt.toISOString() };
    },
  );

  app.post(
    '/api/auth/identities',
    {
      config: {
        access: 'signed-in',
        errors: [...refusals, invalidTicket(), identityInUse(), tooManyIdentities()],
      },
      schema: {
        operationId: 'linkIdentity',
        tags,
        summary: 'Link an account at a provider',
        description: 'Sensitive. You can sign in with it from then on, whatever its address.',
        body: AddIdentityBody,
        response: { 201: IdentityAnswer },
      },
    },
    async ({ principal, body, client }, reply) => {
      const { password, ...ticket } = body;
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      const identity = await identityLinks.add(principal, { ...ticket, client });
      return reply.code(201).send({ identity });
    },
  );

  app.delete(
    '/api/auth/identities/:id',
    {
      config: { access: 'signed-in', errors: [...refusals, identityNotFound(), lastWayIn()] },
      schema: {
        operationId: 'unlinkIdentity',
        tags,
        summary: 'Unlink an account at a provider',
        description:
          'Sensitive. The last way to sign in cannot be removed: GET /api/auth/ways-in lists them. Other sessions that began ' +
          'with a provider end.',
        params: IdPath,
        body: OwnPasswordBody,
        response: { 204: Type.Null() },
      },
    },
    async ({ principal, params: { id }, body, client }, reply) => {
      await stepUp.require(principal, { concerns: 'way-in', password: body?.password, client });
      await identityLinks.remove(principal, { id, client });
      return reply.code(204).send(null);
    },
  );
}
