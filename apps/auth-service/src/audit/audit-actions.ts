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
  'password.changed',
  'password.reset',
  'email.verified',
  'email.changed',
  'profile.updated',
  'two-factor.enabled',
  'two-factor.disabled',
  'two-factor.backup-codes-renewed',
  'two-factor.backup-code-used',
  'two-factor.locked',
] as const;

/** What the audit trail records, by the only names it knows. */
export const auditActions = [
  ...ownActions,
  'user.created',
  'user.updated',
  'user.disabled',
  'user.enabled',
  'user.erased',
  'organization.created',
  'organization.updated',
  'organization.deleted',
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

/** One of {@link auditActions}. */
export type AuditAction = (typeof auditActions)[number];

/** Whether an action belongs to the user's own trail. */
export const isOwn = (action: AuditAction): boolean => (ownActions as readonly string[]).includes(action);
