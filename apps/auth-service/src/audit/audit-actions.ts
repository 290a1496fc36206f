import type { KeptFields } from '@tenantry/service/resources';

/** Actions of users on their own accounts, or on their accounts by others. */
export const ownActions = [
  'session.started',
  'session.revoked',
  'sessions.revoked',
  'session.reuse-detected',
  'session.device-refused',
  'session.address-refused',
  'session.token-forged',
  'session.rebound',
  'account.locked',
  'account.claimed',
  'password.changed',
  'password.reset',
  'password.removed',
  'passkey.added',
  'passkey.removed',
  'passkey.counter-fell',
  'identity.linked',
  'identity.unlinked',
  'connection.linked',
  'connection.unlinked',
  'email.verified',
  'email.changed',
  'profile.updated',
  'two-factor.enabled',
  'two-factor.disabled',
  'two-factor.backup-codes-renewed',
  'two-factor.backup-code-used',
  'two-factor.locked',
  'two-factor.reset',
] as const;

/** Actions in an organization, or on it and its members. */
const organizationActions = [
  'user.created',
  'user.updated',
  'user.disabled',
  'user.enabled',
  'user.erased',
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'organization.restored',
  'organization.exported',
  'organization.ownership-transferred',
  'member.added',
  'member.joined',
  'member.role-changed',
  'member.removed',
  'member.left',
  'invitation.created',
  'invitation.accepted',
  'invitation.rejected',
  'invitation.revoked',
  'service-account.created',
  'service-account.renamed',
  'service-account.role-changed',
  'service-account.deleted',
  'api-key.created',
  'api-key.deleted',
  'domain.added',
  'domain.verified',
  'domain.joins-changed',
  'domain.suspended',
  'domain.deleted',
  'connection.created',
  'connection.updated',
  'connection.enabled',
  'connection.disabled',
  'connection.deleted',
  'connection.member-added',
  'connection.required',
  'connection.no-longer-required',
  'connection.bypassed',
  'directory-token.created',
  'directory-token.deleted',
  'directory.person-added',
  'directory.person-changed',
  'directory.person-removed',
  'directory.group-added',
  'directory.group-changed',
  'directory.group-removed',
  'directory.group-role-changed',
] as const;

/** The actions that audit trails record. */
export const auditActions = [...ownActions, ...organizationActions] as const;

/** The settings of an organization whose values its trail keeps: an address or a VAT number may be a person's. */
export const keptFields = {
  ...{ defaultCurrency: 'code', vatRate: 'number', quoteNumberPrefix: 'code' },
  ...{ requireTwoFactor: 'switch', timeZone: 'code' },
} as const satisfies KeptFields<AuditedField>;

/** Every field whose change an entry names. */
export const auditedFields = [
  ...(['name', 'familyName', 'language', 'timeZone', 'logo', 'address', 'vatNumber'] as const),
  ...(['defaultCurrency', 'vatRate', 'quoteNumberPrefix', 'requireTwoFactor'] as const),
] as const;

/** One of {@link auditedFields}. */
export type AuditedField = (typeof auditedFields)[number];

/** One of {@link ownActions}. */
export type OwnAction = (typeof ownActions)[number];

/** An action in an organization's trail. */
export type OrganizationAction = (typeof organizationActions)[number] | 'two-factor.reset';
