import { ClosedObject, Nullable, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { StateAnswer } from '../second-factors/second-factors.schemas.ts';

/** A passkey in an answer. */
export const PasskeySchema = ClosedObject(
  {
    id: Uuid(),
    name: Type.String({ description: 'display text', examples: ['Phone'] }),
    createdAt: Timestamp(),
    lastUsedAt: Nullable(Timestamp()),
    backedUp: Type.Boolean({ description: 'whether it is synced to several devices' }),
  },
  { title: 'Passkey' },
);

/** An account at a provider in an answer. */
export const IdentitySchema = ClosedObject(
  {
    id: Uuid(),
    provider: Type.String({ examples: ['google'] }),
    email: Nullable(
      Type.String({ description: 'from the provider; display text', examples: ['ada@example.com'] }),
    ),
    createdAt: Timestamp(),
    lastUsedAt: Nullable(Timestamp()),
  },
  { title: 'Identity' },
);

export const WaysInAnswer = ClosedObject(
  {
    password: Type.Boolean(),
    mailed: Type.Boolean({ description: 'by a code or link that is mailed to your confirmed address' }),
    passkeys: Type.Array(PasskeySchema),
    identities: Type.Array(IdentitySchema),
    twoFactor: StateAnswer,
  },
  { title: 'WaysIn' },
);

/** What a page for signing in offers. */
export const SignInOfferSchema = ClosedObject(
  {
    signUp: Type.Enum(['open', 'invited'], {
      description: 'invited: accounts are created only by invitation or by an organization',
    }),
    password: Type.Boolean(),
    mailed: Type.Boolean({ description: 'whether codes are mailed' }),
    passkeys: Type.Boolean(),
    providers: Type.Array(
      ClosedObject({
        id: Type.String({ examples: ['google'] }),
        name: Type.String({ examples: ['Google'] }),
      }),
    ),
    singleSignOn: Type.Boolean({
      description:
        'whether any organization signs its people in by an identity provider: ask for the address first',
    }),
  },
  { title: 'SignInOffer', description: 'the ways of signing in that are configured' },
);
