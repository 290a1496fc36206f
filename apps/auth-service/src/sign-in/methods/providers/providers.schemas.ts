import { ClosedObject, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { OwnPassword as password } from '../../../ground/index.ts';
import { SignInAnswer } from '../../sign-in.schemas.ts';
import { IdentitySchema } from '../../ways-in/ways-in.schemas.ts';
import { ticketForm } from '../../flows/flows.ts';

const CodeChallenge = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  messages: { pattern: 'must be the SHA-256 of the code verifier in base64url' },
  description: 'for clients that keep no cookies: SHA-256 of the code verifier, as in RFC 7636',
  examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
});

const CodeVerifier = Type.String({
  pattern: '^[A-Za-z0-9._~-]{43,128}$',
  messages: { pattern: 'must be 43 to 128 letters, digits, or any of . _ ~ -' },
  description: 'whose digest was sent when the sign-in started',
  examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
});

/** Where a visit ends, and for whom. */
export const visitFields = {
  redirectTo: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: 'a page of the front end, or one of REDIRECT_URIS; `#ticket=…` or `#error=CODE` is added',
    examples: ['https://app.example.com/signed-in'],
  }),
  codeChallenge: Type.Optional(CodeChallenge),
};

const visit = {
  provider: Type.String({ minLength: 1, maxLength: 64, examples: ['google'] }),
  ...visitFields,
};

const ticket = {
  ticket: Type.String({
    ...ticketForm,
    description: 'from the fragment',
    examples: [`tst_${'A'.repeat(43)}`],
  }),
  codeVerifier: Type.Optional(CodeVerifier),
};

export const SocialSignInBody = ClosedObject({
  ...visit,
  invitationToken: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'from a mailed invitation; the new account is that of the invited address',
      examples: ['the token of the link'],
    }),
  ),
});

export const LinkBody = ClosedObject({ ...visit, password });

export const VisitAnswer = ClosedObject({
  url: Type.String({ description: 'send the browser there' }),
  expiresAt: Timestamp(),
});

export const TicketBody = ClosedObject(ticket);
export const AddIdentityBody = ClosedObject({ ...ticket, password });

export const TicketAnswer = Type.Union([
  ...SignInAnswer.anyOf,
  ClosedObject({
    codeRequired: Type.Literal(true, {
      description: 'a code is mailed to the address: send it to /sign-in/mailed/verify',
    }),
    request: ClosedObject({ id: Uuid(), expiresAt: Timestamp() }),
  }),
]);

export const IdentityAnswer = ClosedObject({
  identity: ClosedObject(IdentitySchema.properties, { title: 'LinkedIdentity' }),
});
