import { Type } from 'typebox';
import { Id, Timestamp, type Wire } from './fields.ts';

const organizationsPath = '/internal/organizations';

/** Path of an organization's state at auth-service. */
export const standingPath = (organizationId: string) => `${organizationsPath}/${organizationId}`;

/** Path of an organization's current logo; 404 if it has none. */
export const logoPath = (organizationId: string) => `${organizationsPath}/${organizationId}/logo`;

/** Path at which a service says that an owner begins to export what it has of an organization. */
export const exportsPath = (organizationId: string) => `${organizationsPath}/${organizationId}/exports`;

/** An export that begins, or would if it is a check. Goes with the headers of a caller. */
export const ExportBegun = Type.Object(
  {
    service: Type.String({ minLength: 1, maxLength: 40, text: 'line' }),
    actorUserId: Id,
    isCheck: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ExportBegun = Wire<typeof ExportBegun>;

/** Maximum size of a logo: enough for any letterhead, and it is embedded in every PDF. */
export const logoBytesMax = 256 * 1024;

/** What a logo is drawn within: the place of a letterhead, 170 by 56 points, at 432 dots per inch. */
export const logoBounds = { width: 1_020, height: 336, bytesMax: logoBytesMax };

/** The state of an organization. Services delete the data of one that is `gone` for good, so nothing else is read as that. */
export const Standing = Type.Object({
  organizationId: Id,
  state: Type.Enum(['live', 'deleted', 'gone']),
  /** Until then a deleted organization can be restored. */
  purgeAt: Type.Optional(Timestamp),
});
export type Standing = Wire<typeof Standing>;
