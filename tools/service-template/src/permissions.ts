const every = ['field-notes:read', 'field-notes:write'] as const;

/** Who may do what with field notes. auth-service shows the same table, in its `organizations/permissions.ts`. */
export const permissions = { owner: every, admin: every, member: every };

declare module '@tenantry/service-kit' {
  interface OwnPermissions {
    readonly fieldNotes: (typeof every)[number];
  }
}
