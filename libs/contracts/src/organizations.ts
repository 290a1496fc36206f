import { Type } from 'typebox';
import { Id, Timestamp, type Wire } from './fields.ts';

const organizationsPath = '/internal/organizations';

/** Where auth-service says what there is of an organization. */
export const standingPath = (organizationId: string) => `${organizationsPath}/${organizationId}`;

/** Where it hands out the logo that an organization has now; 404 for none. */
export const logoPath = (organizationId: string) => `${organizationsPath}/${organizationId}/logo`;

/** The size of a logo at most: large enough for any letterhead, and it goes into every PDF. */
export const logoBytesMax = 256 * 1024;

/** What there is of an organization. Services delete for good what is `gone`, so nothing else is read as that. */
export const Standing = Type.Object({
  organizationId: Id,
  state: Type.Enum(['live', 'deleted', 'gone']),
  /** Until then a deleted organization can be restored. */
  purgeAt: Type.Optional(Timestamp),
});
export type Standing = Wire<typeof Standing>;
