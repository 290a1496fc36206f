import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { OwnPassword } from '../../ground/index.ts';
import { AssertionSchema } from '../methods/passkeys/credential.schemas.ts';
import { RefreshTokenSchema } from '../../sessions/index.ts';
import { backupCodePattern } from './backup-codes.ts';
import { challengeTokens } from './challenges.ts';
import { secondFactorMethods } from './second-factor.ts';

const totpPattern = '[0-9]{6}';

const TotpCode = Type.String({
  pattern: `^${totpPattern}$`,
  messages: { pattern: 'must be 6 digits' },
  description: 'the six digits that the authenticator app shows',
  examples: ['123456'],
});
const BackupCodeText = Type.String({
  pattern: `^${backupCodePattern}$`,
  messages: { pattern: 'must be a backup code' },
  description: 'one of the backup codes; case, spaces and hyphens do not matter',
  examples: ['7Q2KDM-9XR4TW-H3N8VB-C6P0YZ'],
});
const ChallengeTokenText = Type.String({
  pattern: challengeTokens.pattern,
  messages: { pattern: 'must be the token of a challenge' },
  description:
    'of a sign-in that waits for the second factor; without it, the session of the request is meant',
});

/** What a sign-in or a session is named by, and shown to be one's own. */
const shown = {
  challengeToken: Type.Optional(ChallengeTokenText),
  refreshToken: Type.Optional(RefreshTokenSchema),
};

const BackupCodesSchema = Type.Array(Type.String(), {
  description: 'each works once, in place of the second factor; they are shown only once',
});

/** What a second factor can be given as. */
export const MethodsSchema = Type.Array(Type.Enum([...secondFactorMethods]));

export const StateAnswer = ClosedObject(
  { enabled: Type.Boolean(), methods: MethodsSchema, backupCodesLeft: Type.Integer({ minimum: 0 }) },
  { title: 'TwoFactorState' },
);

export const EnableBody = Type.Union([
  ClosedObject({
    method: Type.Optional(
      Type.Enum(['totp', 'passkey'], {
        description: 'default: an authenticator app; passkey needs one that you have added',
      }),
    ),
    password: OwnPassword,
  }),
  Type.Null(),
]);

const AppSetUp = ClosedObject(
  {
    totpUri: Type.String({ description: 'for the authenticator app, as otpauth://' }),
    qrCode: Type.String({ description: 'the same as a picture, a PNG in a data URL' }),
    secret: Type.String({ description: 'the same for typing, in base32' }),
    backupCodes: BackupCodesSchema,
  },
  { title: 'AppSetUp' },
);
const PasskeySetUp = ClosedObject({ backupCodes: BackupCodesSchema }, { title: 'PasskeySetUp' });

export const EnableAnswer = Type.Union([AppSetUp, PasskeySetUp]);

/** Nothing, or the challenge that a passkey is to finish. */
export const PasskeyOptionsBody = Type.Union([
  ClosedObject({ challengeToken: shown.challengeToken }),
  Type.Null(),
]);

export const VerifyPasskeyBody = ClosedObject({ response: AssertionSchema, ...shown });

export const VerifyTotpBody = ClosedObject({ code: TotpCode, ...shown });

export const VerifyBackupCodeBody = ClosedObject({ code: BackupCodeText, ...shown });

export const CodeText = Type.String({
  pattern: `^(${totpPattern}|${backupCodePattern})$`,
  messages: { pattern: 'must be 6 digits or a backup code' },
  description: 'from the authenticator app, or a backup code',
  examples: ['123456'],
});

export const DisableBody = Type.Union([
  ClosedObject(
    { password: OwnPassword, response: AssertionSchema },
    { description: 'with a passkey, using the options of POST /api/auth/two-factor/passkey/options' },
  ),
  ClosedObject({ password: OwnPassword, code: CodeText }),
]);

export const DisableAnswer = ClosedObject({ enabled: Type.Literal(false) });

export const RenewBackupCodesAnswer = ClosedObject({ backupCodes: BackupCodesSchema });
