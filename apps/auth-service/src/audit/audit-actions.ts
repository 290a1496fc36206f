/** What users do with their own accounts, or what happens to these. */
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

/** What users do in an organization, or what happens to it and its people. */
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
  'organization.ownership-transferred',
  'member.added',
  'member.role-changed',
  'member.removed',
  'member.left',
  'invitation.created',
  'invitation.accepted',
  'invitation.rejected',
  'invitation.revoked',
] as const;

/** What the audit trails record, by the only names they know. */
export const auditActions = [...ownActions, ...organizationActions] as const;

/** One of {@link ownActions}. */
export type OwnAction = (typeof ownActions)[number];

/** What an organization's trail records with who did it. */
export type OrganizationAction = (typeof organizationActions)[number] | 'two-factor.reset';
