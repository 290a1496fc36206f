import { ClosedObject, Nullable } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, RoleSchema } from '../../ground/index.ts';
import { OrganizationSettingsSchema } from '../organizations.schemas.ts';

const { defaultCurrency, vatRate, quoteNumberPrefix, timeZone, address, vatNumber } =
  OrganizationSettingsSchema.properties;

/** Invitations that are prepared together. */
export const inviteesMax = 100;

/** What an archive says of an organization: without what its members must do to get in, which might shut everybody out. */
export const ImportBody = ClosedObject({
  settings: Type.Optional(
    ClosedObject({ defaultCurrency, vatRate, quoteNumberPrefix, timeZone, address, vatNumber }),
  ),
  /** In base64; null for none. */
  logo: Type.Optional(Nullable(Type.String({ maxLength: 400_000, minLength: 1 }))),
  people: Type.Array(ClosedObject({ email: EmailSchema, role: RoleSchema }), { maxItems: inviteesMax }),
});

export const ImportAnswer = ClosedObject({ invitations: Type.Integer({ minimum: 0 }) });
