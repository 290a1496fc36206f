import { ClosedObject, LineOf, Nullable } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { NameSchema, UserSchema } from '../ground/index.ts';

/** The user's language; letters are written in it if it is supported. */
export const Language = Nullable(LineOf(64, { description: 'BCP 47', examples: ['en-GB'] }));
/** The user's time zone. */
export const TimeZone = Nullable(
  LineOf(64, { description: 'the IANA name of a time zone', examples: ['Europe/Stockholm'] }),
);

/** Omitted fields are unchanged; null clears one. */
export const ChangeProfileBody = ClosedObject(
  {
    name: Type.Optional(NameSchema),
    language: Type.Optional(Language),
    timeZone: Type.Optional(TimeZone),
  },
  { minProperties: 1, examples: [{ language: 'en-GB', timeZone: 'Europe/Stockholm' }] },
);

/** A user's profile. */
export const ProfileSchema = ClosedObject(
  {
    ...UserSchema.properties,
    language: Language,
    timeZone: TimeZone,
    emailVerified: Type.Boolean({ description: 'the address was confirmed by a mailed link' }),
  },
  { title: 'Profile' },
);

export const ProfileAnswer = ClosedObject({ user: ProfileSchema });
