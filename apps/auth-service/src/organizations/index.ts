/** Organizations, their members and their invitations. */
export { createOrganizationsWing } from './wing.ts';
export type { OrganizationsWing } from './wing.ts';
export { organizationArchive } from './exports/organization-archive.repository.ts';
export { Acceptances } from './invitations/acceptances.ts';
export type { InvitationKey } from './invitations/invitations.ts';
export { invalidInvitation, isInvalidInvitation } from './invitations/invitations.errors.ts';
export { InvitationTokenSchema } from './invitations/invitations.schemas.ts';
export { made, makerColumns, MakerSchema, type Maker } from './makers.ts';
export { requirePermission } from './members/member-rules.ts';
export type { Member, Place } from './members/members.repository.ts';
export { MemberAnswer, MemberPath } from './members/members.schemas.ts';
export { forbidden, memberNotFound } from './members/members.errors.ts';
export { secondFactorUndeclared } from './organizations.errors.ts';
export { ssoStillRequired } from './sso-requirement/sso-requirement.errors.ts';
export { listedResponse, organizationsRoutes } from './organizations.routes.ts';
export { OrganizationListItem, PermissionSchema } from './organizations.schemas.ts';
