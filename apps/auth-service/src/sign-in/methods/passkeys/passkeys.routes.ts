import type { Service } from '@tenantry/service/http';
import { Type } from 'typebox';
import { rememberBrowser } from '../../../sessions/index.ts';
import { signInResponse } from '../../sign-in.responses.ts';
import { continuing, SignInAnswer } from '../../sign-in.schemas.ts';
import { lastWayIn } from '../../ways-in/ways-in.errors.ts';
import {
  carriesTwoFactor,
  invalidPasskey,
  noPasskeys,
  passkeyNotFound,
  passkeyRefused,
  tooManyPasskeys,
  userNotVerified,
} from './passkeys.errors.ts';
import {
  CreationOptionsAnswer,
  RegisterAnswer,
  RegisterBody,
  SignInBody,
  SignInOptionsAnswer,
} from './passkeys.schemas.ts';
import { keepWhatIsRead } from './response-fields.ts';
import type { SignInRoutesOptions } from '../../wing.ts';
import { IdPath, OwnPasswordBody } from '../../../ground/index.ts';

const tags = ['passkeys'];

/** Signing in with a passkey, and the passkeys of a user. */
export function passkeysRoutes(app: Service, options: SignInRoutesOptions): void {
  signInRoutes(app, options);
  ownRoutes(app, options);
}

function signInRoutes(app: Service, options: SignInRoutesOptions): void {
  const { passkeySignIn, signIns, access } = options;

  app.post(
    '/api/auth/sign-in/passkey/options',
    {
      config: { access: 'public', errors: [noPasskeys()] },
      schema: {
        operationId: 'getPasskeySignInOptions',
        tags,
        summary: 'Get the options to sign in with a passkey',
        description:
          'For any passkey of the domain, including browser autofill. The response of the authenticator is valid once, for ' +
          'five minutes, from this device.',
        response: { 200: SignInOptionsAnswer },
      },
    },
    async ({ client }, reply) => {
      const { token, options } = passkeySignIn.options(client);
      rememberBrowser(reply);
      return { token, options };
    },
  );

  app.post(
    '/api/auth/sign-in/passkey',
    {
      config: { access: 'public', errors: [noPasskeys(), passkeyRefused(), userNotVerified(401)] },
      preValidation: keepWhatIsRead,
      schema: {
        operationId: 'signInWithPasskey',
        tags,
        summary: 'Sign in with a passkey',
        description: `No second factor is required: a passkey counts as two. ${continuing}`,
        body: SignInBody,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const { body, client } = request;
      const carried = await access.carriedBy(request);
      return signInResponse(reply, await signIns.by(passkeySignIn, { ...body, client }, carried));
    },
  );
}

function ownRoutes(app: Service, options: SignInRoutesOptions): void {
  const { passkeys, stepUp } = options;

  app.post(
    '/api/auth/passkeys/options',
    {
      config: { access: 'signed-in', errors: [...stepUp.refusals, noPasskeys()] },
      schema: {
        operationId: 'getPasskeyOptions',
        tags,
        summary: 'Get the options to add a passkey',
        description: 'Sensitive. The new passkey is added by POST /api/auth/passkeys, within five minutes.',
        body: OwnPasswordBody,
        response: { 200: CreationOptionsAnswer },
      },
    },
    async ({ principal, body, client }) => {
      await stepUp.require(principal, { concerns: 'way-in', password: body?.password, client });
      return { options: await passkeys.registrationOptions(principal) };
    },
  );

  app.post(
    '/api/auth/passkeys',
    {
      config: {
        access: 'signed-in',
        errors: [...stepUp.refusals, noPasskeys(), invalidPasskey(), userNotVerified(400), tooManyPasskeys()],
      },
      preValidation: keepWhatIsRead,
      schema: {
        operationId: 'addPasskey',
        tags,
        summary: 'Add a passkey',
        description:
          'Sensitive. You can sign in with it from now on; it does not turn on two-factor authentication.',
        body: RegisterBody,
        response: { 201: RegisterAnswer },
      },
    },
    async ({ principal, body: { name, password, response }, client }, reply) => {
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      const passkey = await passkeys.register(principal, { name, response, client });
      return reply.code(201).send({ passkey });
    },
  );

  app.delete(
    '/api/auth/passkeys/:id',
    {
      config: {
        access: 'signed-in',
        errors: [...stepUp.refusals, passkeyNotFound(), lastWayIn(), carriesTwoFactor()],
      },
      schema: {
        operationId: 'removePasskey',
        tags,
        summary: 'Remove a passkey',
        description:
          'Sensitive. The last way to sign in cannot be removed: GET /api/auth/ways-in lists them. Nor can the last passkey if ' +
          'two-factor authentication depends on it. After the last one, sessions that only passkeys had raised fall to ' +
          '`aal1`, or end if two-factor authentication is on.',
        params: IdPath,
        body: OwnPasswordBody,
        response: { 204: Type.Null() },
      },
    },
    async ({ principal, params: { id }, body, client }, reply) => {
      await stepUp.require(principal, { concerns: 'way-in', password: body?.password, client });
      await passkeys.remove(principal, { id, client });
      return reply.code(204).send(null);
    },
  );
}
