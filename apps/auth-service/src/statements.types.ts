// What PostgreSQL says of the statements in this folder. Written by `npm run statements`, compared by a test.

/** The columns of an outer join: all null if it found nothing. */
type Joined<Columns> = Columns | { readonly [Column in keyof Columns]: null };

/** The parameters of each statement, and its rows. */
export interface Statements {
  'account-lock': {
    values: readonly [];
    row: { readonly email: string; readonly createdBy: string | null };
  };
  'account-lock-address': {
    values: readonly [value1: string];
    row: { readonly pg_advisory_xact_lock: unknown };
  };
  'account-note-left-domain': {
    values: readonly [userId: string, domain: string];
    row: never;
  };
  'account-of-member': {
    values: readonly [userId: string];
    row: {
      readonly id: string;
      readonly email: string;
      readonly name: string;
      readonly familyName: string | null;
      readonly createdAt: string;
      readonly role: 'owner' | 'admin' | 'member';
    };
  };
  'account-organizations': {
    values: readonly [];
    row: { readonly organizationId: string };
  };
  'account-rename': {
    values: readonly [
      id: string,
      name: string,
      familyName: string | null,
      updatedAt: Date | string,
      name2: string | null,
      familyName2: string | null,
    ];
    row: { readonly id: string };
  };
  'addressee-by-email': {
    values: readonly [email: string];
    row: {
      readonly userId: string;
      readonly email: string;
      readonly name: string;
      readonly verified: boolean;
      readonly createdAt: Date;
      readonly createdOn: string | null;
      readonly disabledBy: string | null;
    };
  };
  'addressee-confirm': {
    values: readonly [id: string, emailVerifiedAt: Date | string | null];
    row: { readonly id: string };
  };
  'addressee-hold': {
    values: readonly [id: string, email: string];
    row: { readonly id: string };
  };
  'addressee-lock': {
    values: readonly [id: string, updatedAt: Date | string];
    row: Statements['addressee-by-email']['row'];
  };
  'addressee-proven': {
    values: readonly [email: string];
    row: { readonly id: string };
  };
  'addressee-proven-account': {
    values: readonly [id: string];
    row: { readonly id: string };
  };
  'addressee-unclaimed-account': {
    values: readonly [id: string];
    row: { readonly id: string };
  };
  'api-key-insert': {
    values: readonly [
      id: string,
      accountId: string,
      name: string,
      digest: Uint8Array,
      ending: string,
      scope: string,
      createdBy: string,
      createdAt: Date | string,
      expiresAt: Date | string,
      announcedAt: Date | string | null,
    ];
    row: never;
  };
  'api-key-remove': {
    values: readonly [accountId: string, id: string];
    row: { readonly name: string };
  };
  'api-key-use': {
    values: readonly [id: string, digest: Uint8Array, expiresAt: Date | string];
    row: {
      readonly keyId: string;
      readonly scope: string;
      readonly expiresAt: Date;
      readonly accountId: string;
      readonly name: string;
      readonly role: 'member' | 'admin';
      readonly tokensFrom: Date | null;
      readonly organizationName: string;
    };
  };
  'api-keys': {
    values: readonly [accountId: string | null];
    row: {
      readonly id: string;
      readonly accountId: string;
      readonly name: string;
      readonly ending: string;
      readonly scope: string;
      readonly createdBy: string;
      readonly createdByName: string | null;
      readonly createdAt: string;
      readonly expiresAt: string;
      readonly lastUsedAt: string | null;
    };
  };
  'archive-read': {
    values: readonly [];
    row: { readonly line: string | null };
  };
  'arrival-note': {
    values: readonly [
      connectionId: string | null,
      kind: 'sign-in' | 'directory' | null,
      code: string,
      address: string | null,
      at: Date | string,
    ];
    row: never;
  };
  arrivals: {
    values: readonly [connectionId: string];
    row: {
      readonly kind: 'sign-in' | 'directory';
      readonly code: string;
      readonly address: string | null;
      readonly at: string;
    };
  };
  'audit-forget-user': {
    values: readonly [];
    row: { readonly forget_actor: unknown | null };
  };
  'audit-insert': {
    values: readonly [
      action: string,
      targetType: string | null,
      targetId: string | null,
      ipAddress: string | null,
      device: string | null,
      details: unknown,
      actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null,
      actorUserId: string | null,
      name: string | null,
      id: string | null,
      name2: string | null,
    ];
    row: never;
  };
  'audit-insert-done-to': {
    values: readonly [
      action: string,
      targetType: string | null,
      targetId: string | null,
      ipAddress: string | null,
      device: string | null,
      details: unknown,
      actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null,
      actorUserId: string | null,
    ];
    row: never;
  };
  'audit-insert-own': {
    values: readonly [
      action: string,
      targetType: string | null,
      targetId: string | null,
      ipAddress: string | null,
      device: string | null,
      details: unknown,
      organizationId: string | null,
    ];
    row: never;
  };
  'audit-organizations-mentioning': {
    values: readonly [];
    row: { readonly organizationId: string };
  };
  'audit-own-page': {
    values:
      | readonly [limit: number, offset: number, id: string, id2: string, action: string]
      | readonly [limit: number, offset: number, id: string, id2: string];
    row: { readonly total: number } & Joined<{
      readonly id: string;
      readonly action: string;
      readonly targetType: string | null;
      readonly targetId: string | null;
      readonly ipAddress: string | null;
      readonly device: string | null;
      readonly details: unknown;
      readonly createdAt: string;
      readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
      readonly actorUserId: string | null;
      readonly actorName: string | null;
      readonly targetName: null;
    }>;
  };
  'audit-page': {
    values:
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          action: string,
          actorUserId: string,
          targetId: string,
        ]
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          action: string,
          actorUserId: string,
        ]
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          action: string,
          targetId: string,
        ]
      | readonly [
          limit: number,
          offset: number,
          id: string,
          id2: string,
          actorUserId: string,
          targetId: string,
        ]
      | readonly [limit: number, offset: number, id: string, id2: string, action: string]
      | readonly [limit: number, offset: number, id: string, id2: string, actorUserId: string]
      | readonly [limit: number, offset: number, id: string, id2: string, targetId: string]
      | readonly [limit: number, offset: number, id: string, id2: string];
    row:
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly targetType: string | null;
          readonly targetId: string | null;
          readonly ipAddress: string | null;
          readonly device: string | null;
          readonly details: unknown;
          readonly createdAt: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string | null;
          readonly actorName: string | null;
          readonly targetName: string | null;
        }>
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly targetType: string | null;
          readonly targetId: string | null;
          readonly ipAddress: string | null;
          readonly device: string | null;
          readonly details: unknown;
          readonly createdAt: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string;
          readonly actorName: string | null;
          readonly targetName: string | null;
        }>
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly targetType: string | null;
          readonly targetId: string;
          readonly ipAddress: string | null;
          readonly device: string | null;
          readonly details: unknown;
          readonly createdAt: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string | null;
          readonly actorName: string | null;
          readonly targetName: string | null;
        }>
      | { readonly total: number } & Joined<{
          readonly id: string;
          readonly action: string;
          readonly targetType: string | null;
          readonly targetId: string;
          readonly ipAddress: string | null;
          readonly device: string | null;
          readonly details: unknown;
          readonly createdAt: string;
          readonly actorKind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer' | null;
          readonly actorUserId: string;
          readonly actorName: string | null;
          readonly targetName: string | null;
        }>;
  };
  'caller-enabled': {
    values: readonly [id: string];
    row: { readonly id: string; readonly email: string; readonly name: string };
  };
  'caller-lock-organization': {
    values: readonly [];
    row: { readonly id: string };
  };
  'caller-lock-session': {
    values: readonly [id: string, expiresAt: Date | string, lastActiveAt: Date | string];
    row: { readonly id: string };
  };
  'caller-lock-users': {
    values: readonly [idList: readonly string[]];
    row: { readonly id: string };
  };
  'caller-standing': {
    values: readonly [organizationId: string, id: string | null];
    row: {
      readonly role: 'owner' | 'admin' | 'member';
      readonly refusal: 'TWO_FACTOR_REQUIRED' | 'SSO_REQUIRED' | null;
      readonly isConfined: boolean;
    };
  };
  'challenge-find': {
    values: readonly [id: string, tokenHash: Uint8Array, binding: string, expiresAt: Date | string];
    row: {
      readonly id: string;
      readonly amr: readonly string[];
      readonly flowId: string | null;
      readonly failures: number;
      readonly confinedTo: string | null;
      readonly connectionId: string | null;
      readonly endsAt: Date | null;
    };
  };
  'challenge-insert': {
    values: readonly [
      id: string,
      tokenHash: Uint8Array,
      amr: readonly string[],
      flowId: string | null,
      binding: string,
      createdAt: Date | string,
      expiresAt: Date | string,
      confinedTo: string | null,
      connectionId: string | null,
      endsAt: Date | string | null,
    ];
    row: never;
  };
  'challenge-record-failure': {
    values: readonly [id: string];
    row: never;
  };
  'challenge-remove': {
    values: readonly [id: string];
    row: never;
  };
  'challenges-evict-oldest': {
    values: readonly [expiresAt: Date | string, offset: number, confinedTo: string | null];
    row: never;
  };
  'connection-account-by-email': {
    values: readonly [connectionId: string, email: string];
    row: {
      readonly userId: string;
      readonly name: string;
      readonly email: string;
      readonly disabled: boolean;
      readonly verified: boolean;
      readonly awaits: boolean;
      readonly made: boolean;
      readonly role: 'owner' | 'admin' | 'member' | null;
      readonly linked: boolean;
      readonly removed: boolean;
    };
  };
  'connection-announce-end': {
    values: readonly [id: string, announcedEnd: Date | string | null];
    row: never;
  };
  'connection-claim-metadata': {
    values: readonly [
      id: string,
      metadataReadAt: Date | string | null,
      metadataReadAt2: Date | string,
    ];
    row: { readonly id: string };
  };
  'connection-identities-remove': {
    values: readonly [connectionId: string];
    row: never;
  };
  'connection-identity-insert': {
    values: readonly [
      connectionId: string,
      subject: string,
      userId: string,
      isOwn: boolean,
      createdAt: Date | string,
    ];
    row: { readonly userId: string };
  };
  'connection-identity-remove': {
    values: readonly [connectionId: string, userId: string];
    row: { readonly subject: string };
  };
  'connection-identity-use': {
    values: readonly [connectionId: string, subject: string, lastUsedAt: Date | string | null];
    row: never;
  };
  'connection-insert': {
    values: readonly [
      id: string,
      kind: 'okta' | 'entra' | 'google' | 'oidc' | 'saml',
      name: string,
      createdBy: string,
      createdAt: Date | string,
    ];
    row: never;
  };
  'connection-key-by-domain': {
    values: readonly [domain: string];
    row: { readonly id: string; readonly organizationId: string };
  };
  'connection-key-by-slug': {
    values: readonly [slug: string];
    row: { readonly id: string; readonly organizationId: string };
  };
  'connection-key-insert': {
    values: readonly [
      organization: string,
      id: string,
      mode: 'openid' | 'saml',
      enabledAt: Date | string,
      dueAt: Date | string | null,
    ];
    row: never;
  };
  'connection-key-is-any': {
    values: readonly [];
    row: { readonly isOn: boolean };
  };
  'connection-key-postpone': {
    values: readonly [
      organization: string,
      id: string,
      dueAt: Date | string,
      dueAt2: Date | string | null,
    ];
    row: never;
  };
  'connection-key-remove': {
    values: readonly [organization: string, id: string];
    row: { readonly id: string };
  };
  'connection-keys-take-due': {
    values: readonly [dueAt: Date | string, dueAt2: Date | string | null];
    row: { readonly organizationId: string; readonly id: string };
  };
  'connection-member-by-subject': {
    values: readonly [connectionId: string, subject: string];
    row: {
      readonly userId: string;
      readonly isOwn: boolean;
      readonly role: 'owner' | 'admin' | 'member';
      readonly disabled: boolean;
    };
  };
  'connection-of-reading': {
    values: readonly [id: string];
    row: {
      readonly id: string;
      readonly name: string;
      readonly issuer: string | null;
      readonly metadata: unknown | null;
      readonly metadataUrl: string | null;
      readonly announcedEnd: Date | null;
      readonly organizationName: string;
    };
  };
  'connection-organization-slug': {
    values: readonly [];
    row: { readonly slug: string };
  };
  'connection-remove': {
    values: readonly [id: string];
    row: never;
  };
  'connection-requires-second-factor': {
    values: readonly [];
    row: { readonly required: boolean };
  };
  'connection-set-metadata': {
    values: readonly [id: string, metadata: unknown | null, issuer: string];
    row: never;
  };
  'connection-store-reading': {
    values: readonly [
      id: string,
      metadata: unknown | null,
      metadataReadAt: Date | string | null,
      issuer: string,
      metadataUrl: string,
    ];
    row: never;
  };
  'connection-update': {
    values: readonly [
      id: string,
      name: string,
      issuer: string | null,
      clientId: string | null,
      encryptedSecret: Uint8Array | null,
      secretId: string | null,
      provesSecondFactor: boolean,
      metadata: unknown | null,
      metadataReadAt: Date | string | null,
      metadataUrl: string | null,
      updatedAt: Date | string,
    ];
    row: never;
  };
  connections: {
    values: readonly [id: string | null, userId: string | null];
    row: {
      readonly id: string;
      readonly kind: 'okta' | 'entra' | 'google' | 'oidc' | 'saml';
      readonly name: string;
      readonly issuer: string | null;
      readonly clientId: string | null;
      readonly encryptedSecret: Buffer | null;
      readonly secretId: string | null;
      readonly provesSecondFactor: boolean;
      readonly metadata: unknown | null;
      readonly metadataReadAt: Date | null;
      readonly metadataUrl: string | null;
      readonly createdBy: string;
      readonly createdByName: string | null;
      readonly createdAt: Date;
      readonly enabledAt: Date | null;
      readonly people: number;
      readonly usedAt: Date | null;
      readonly isLinked: boolean;
    };
  };
  'credential-by-email': {
    values: readonly [email: string];
    row: {
      readonly userId: string;
      readonly passwordHash: string;
      readonly setAt: Date;
      readonly disabled: boolean;
      readonly emailVerified: boolean;
    };
  };
  'credential-disable': {
    values: readonly [userId: string, updatedAt: Date | string, disabledAt: Date | string | null];
    row: { readonly userId: string };
  };
  'credential-remove': {
    values: readonly [userId: string, setOn: string | null];
    row: { readonly userId: string };
  };
  'credential-replace-hash': {
    values: readonly [userId: string, passwordHash: string, passwordHash2: string];
    row: never;
  };
  'credential-set': {
    values: readonly [
      userId: string,
      passwordHash: string,
      updatedAt: Date | string,
      setOn: string | null,
    ];
    row: never;
  };
  'credential-usable': {
    values: readonly [userId: string, updatedAt: Date | string | null];
    row: { readonly userId: string };
  };
  'deletion-abandon': {
    values: readonly [id: string, value2: Date | string];
    row: never;
  };
  'deletion-end-settling': {
    values: readonly [id: string];
    row: never;
  };
  'deletion-forget': {
    values: readonly [id: string];
    row: never;
  };
  'deletion-forget-maker': {
    values: readonly [createdByOrganizationId: string];
    row: never;
  };
  'deletion-former-owner': {
    values: readonly [];
    row: { readonly id: string };
  };
  'deletion-has-others': {
    values: readonly [userId: string];
    row: { readonly id: string };
  };
  'deletion-keep': {
    values: readonly [deletedBy: string | null, deletedAt: Date | string, purgeAt: Date | string];
    row: never;
  };
  'deletion-keep-logo': {
    values: readonly [];
    row: never;
  };
  'deletion-keep-members': {
    values: readonly [];
    row: never;
  };
  'deletion-lock': {
    values: readonly [id: string];
    row: {
      readonly id: string;
      readonly name: string | null;
      readonly slug: string | null;
      readonly deletedBy: string | null;
      readonly deletedAt: Date;
      readonly purgeAt: Date;
    };
  };
  'deletion-lock-former-members': {
    values: readonly [];
    row: { readonly id: string };
  };
  'deletion-lock-users': {
    values: readonly [limit: number];
    row: { readonly id: string };
  };
  'deletion-lost-members': {
    values: readonly [];
    row: { readonly id: string };
  };
  'deletion-mark-settled': {
    values: readonly [userIdList: readonly string[]];
    row: never;
  };
  'deletion-note': {
    values: readonly [
      id: string,
      deletedBy: string | null,
      deletedAt: Date | string,
      purgeAt: Date | string,
    ];
    row: never;
  };
  'deletion-note-absent': {
    values: readonly [removedAt: Date | string];
    row: never;
  };
  'deletion-purge-audit': {
    values: readonly [];
    row: { readonly one: number };
  };
  'deletion-restore': {
    values: readonly [value1: string | null, value2: string | null];
    row: { readonly restored: boolean | null };
  };
  'deletion-restore-logo': {
    values: readonly [];
    row: never;
  };
  'deletion-restore-members': {
    values: readonly [updatedAt: Date | string];
    row: { readonly id: string };
  };
  'deletion-standing': {
    values: readonly [id: string];
    row: { readonly isLive: boolean; readonly purgeAt: string | null };
  };
  'deletion-unsettled': {
    values: readonly [limit: number];
    row: { readonly userId: string };
  };
  'deletions-lone-of-user': {
    values: readonly [];
    row: { readonly organizationId: string };
  };
  'deletions-next-due': {
    values: readonly [];
    row: { readonly id: string };
  };
  'deletions-next-unsettled': {
    values: readonly [];
    row: { readonly id: string };
  };
  'deletions-page': {
    values: readonly [limit: number, offset: number];
    row: { readonly total: number } & Joined<{
      readonly id: string;
      readonly name: string | null;
      readonly slug: string | null;
      readonly deletedBy: string | null;
      readonly deletedAt: string;
      readonly purgeAt: string;
    }>;
  };
  'directory-account': {
    values: readonly [connectionId: string, id: string];
    row: {
      readonly userId: string;
      readonly email: string;
      readonly disabled: boolean;
      readonly disabledHere: boolean;
      readonly verified: boolean;
      readonly awaits: boolean;
      readonly made: boolean;
      readonly role: 'owner' | 'admin' | 'member' | null;
      readonly otherOwners: boolean;
      readonly isLinked: boolean;
      readonly isKnown: boolean;
    };
  };
  'directory-account-by-email': {
    values: readonly [connectionId: string, email: string];
    row: Statements['directory-account']['row'];
  };
  'directory-group': {
    values: readonly [connectionId: string, id: string];
    row: {
      readonly id: string;
      readonly displayName: string;
      readonly externalId: string | null;
      readonly role: 'member' | 'admin' | null;
      readonly createdAt: Date;
      readonly updatedAt: Date;
    };
  };
  'directory-group-add-members': {
    values: readonly [connectionId: string, groupId: string, userIdList: readonly string[]];
    row: { readonly userId: string };
  };
  'directory-group-by-name': {
    values: readonly [connectionId: string, nameKey: string];
    row: Statements['directory-group']['row'];
  };
  'directory-group-given': {
    values: readonly [userId: string];
    row: { readonly role: string | null };
  };
  'directory-group-insert': {
    values: readonly [
      connectionId: string,
      id: string,
      displayName: string,
      nameKey: string,
      externalId: string | null,
      createdAt: Date | string,
    ];
    row: never;
  };
  'directory-group-members': {
    values: readonly [connectionId: string, groupId: string];
    row: { readonly userId: string };
  };
  'directory-group-named-members': {
    values: readonly [connectionId: string, groupId: string];
    row: { readonly userId: string; readonly userName: string };
  };
  'directory-group-remove': {
    values: readonly [connectionId: string, id: string];
    row: never;
  };
  'directory-group-remove-members': {
    values: readonly [connectionId: string, groupId: string, userIdList: readonly string[]];
    row: never;
  };
  'directory-group-set-role': {
    values: readonly [connectionId: string, id: string, role: 'member' | 'admin' | null];
    row: never;
  };
  'directory-group-standings': {
    values: readonly [userIdList: readonly string[]];
    row: {
      readonly userId: string;
      readonly role: 'owner' | 'admin' | 'member';
      readonly given: string | null;
    };
  };
  'directory-group-update': {
    values: readonly [
      connectionId: string,
      id: string,
      displayName: string,
      nameKey: string,
      externalId: string | null,
      updatedAt: Date | string,
    ];
    row: never;
  };
  'directory-groups': {
    values: readonly [connectionId: string, limit: number, offset: number];
    row: Statements['directory-group']['row'];
  };
  'directory-groups-count': {
    values: readonly [connectionId: string];
    row: { readonly groups: number };
  };
  'directory-groups-count-members': {
    values: readonly [];
    row: { readonly members: number };
  };
  'directory-groups-end-roles': {
    values: readonly [connectionId: string];
    row: never;
  };
  'directory-groups-of-owners': {
    values: readonly [connectionId: string];
    row: {
      readonly id: string;
      readonly displayName: string;
      readonly role: 'member' | 'admin' | null;
      readonly people: number;
    };
  };
  'directory-groups-people-with-role': {
    values: readonly [connectionId: string];
    row: { readonly userId: string };
  };
  'directory-people': {
    values: readonly [connectionId: string, limit: number, offset: number];
    row: {
      readonly userId: string;
      readonly userName: string;
      readonly externalId: string | null;
      readonly attributes: unknown;
      readonly createdAt: Date;
      readonly updatedAt: Date;
      readonly active: boolean;
    };
  };
  'directory-people-by-external-id': {
    values: readonly [connectionId: string, externalId: string, limit: number];
    row: {
      readonly userId: string;
      readonly userName: string;
      readonly externalId: string;
      readonly attributes: unknown;
      readonly createdAt: Date;
      readonly updatedAt: Date;
      readonly active: boolean;
    };
  };
  'directory-people-count': {
    values: readonly [connectionId: string];
    row: { readonly people: number };
  };
  'directory-person': {
    values: readonly [connectionId: string, userId: string];
    row: Statements['directory-people']['row'];
  };
  'directory-person-by-user-name': {
    values: readonly [connectionId: string, userNameKey: string];
    row: Statements['directory-people']['row'];
  };
  'directory-person-insert': {
    values: readonly [
      connectionId: string,
      userId: string,
      userName: string,
      userNameKey: string,
      externalId: string | null,
      attributes: unknown,
      createdAt: Date | string,
    ];
    row: never;
  };
  'directory-person-remove': {
    values: readonly [connectionId: string, userId: string];
    row: never;
  };
  'directory-person-update': {
    values: readonly [
      connectionId: string,
      userId: string,
      userName: string,
      userNameKey: string,
      externalId: string | null,
      attributes: unknown,
      updatedAt: Date | string,
    ];
    row: never;
  };
  'disabling-disable': {
    values: readonly [
      id: string,
      disabledByOrganizationId: string | null,
      updatedAt: Date | string | null,
    ];
    row: never;
  };
  'disabling-lock-user': {
    values: readonly [];
    row: { readonly disabled: boolean; readonly disabledBy: string | null };
  };
  'domain-insert': {
    values: readonly [
      id: string,
      domain: string,
      challenge: string,
      joins: 'nobody' | 'member',
      createdBy: string,
      createdAt: Date | string,
    ];
    row: { readonly id: string };
  };
  'domain-key-drop': {
    values: readonly [organization: string, domain: string, dueAt: Date | string];
    row: { readonly domain: string };
  };
  'domain-key-found': {
    values: readonly [
      organization: string,
      domain: string,
      dueAt: Date | string,
      readAt: Date | string,
      dueAt2: Date | string,
    ];
    row: { readonly misses: number };
  };
  'domain-key-hold': {
    values: readonly [
      organization: string,
      domain: string,
      readAt: Date | string,
      dueAt: Date | string,
    ];
    row: { readonly domain: string };
  };
  'domain-key-missed': {
    values: readonly [
      organization: string,
      domain: string,
      dueAt: Date | string,
      readAt: Date | string,
      dueAt2: Date | string,
    ];
    row: { readonly misses: number };
  };
  'domain-keys-take-due': {
    values: readonly [dueAt: Date | string, dueAt2: Date | string];
    row: { readonly organizationId: string; readonly domain: string; readonly readAt: Date };
  };
  'domain-mark-verified': {
    values: readonly [domain: string, verifiedAt: Date | string];
    row: { readonly id: string };
  };
  'domain-of-reading': {
    values: readonly [domain: string];
    row: {
      readonly id: string;
      readonly domain: string;
      readonly challenge: string;
      readonly organizationName: string;
    };
  };
  'domain-remove': {
    values: readonly [id: string];
    row: never;
  };
  'domain-set-joins': {
    values: readonly [id: string, joins: 'nobody' | 'member', updatedAt: Date | string];
    row: never;
  };
  'domain-suspend': {
    values: readonly [domain: string, suspendedAt: Date | string];
    row: never;
  };
  domains: {
    values: readonly [id: string | null];
    row: {
      readonly id: string;
      readonly domain: string;
      readonly challenge: string;
      readonly joins: 'nobody' | 'member';
      readonly verifiedAt: string | null;
      readonly suspendedAt: string | null;
      readonly createdBy: string;
      readonly createdByName: string | null;
      readonly createdAt: string;
    } & Joined<{ readonly readAt: string; readonly misses: number }>;
  };
  'domains-count': {
    values: readonly [];
    row: { readonly domains: number };
  };
  'domains-proven': {
    values: readonly [];
    row: { readonly domain: string };
  };
  'erasure-forget-arrivals': {
    values: readonly [address: string];
    row: never;
  };
  'erasure-lock-user': {
    values: readonly [];
    row: { readonly id: string };
  };
  'erasure-tie': {
    values: readonly [userId: string];
    row: {
      readonly role: 'owner' | 'admin' | 'member';
      readonly name: string;
      readonly otherOwners: boolean;
      readonly members: number;
    };
  };
  'event-member': {
    values: readonly [userId: string];
    row: {
      readonly organizationId: string;
      readonly userId: string;
      readonly email: string;
      readonly emailVerified: boolean;
      readonly name: string;
      readonly familyName: string | null;
      readonly role: 'owner' | 'admin' | 'member';
      readonly disabled: boolean;
      readonly createdAt: string;
    };
  };
  'event-memberships': {
    values: readonly [];
    row: Statements['event-member']['row'];
  };
  'events-forget-organization': {
    values: readonly [organization: string];
    row: never;
  };
  'events-forget-user': {
    values: readonly [userId: string];
    row: never;
  };
  'events-insert': {
    values: readonly [
      typeList: readonly string[],
      subjectList: readonly string[],
      userIdList: readonly (string | null)[],
      organizationList: readonly (string | null)[],
      payloadList: readonly unknown[],
    ];
    row: never;
  };
  'events-insert-members': {
    values: readonly [];
    row: never;
  };
  'events-sweep': {
    values: readonly [id: number | string, value2: number];
    row: { readonly to: string | null; readonly areMore: boolean | null };
  };
  feed: {
    values: readonly [
      id: string,
      value2: unknown | null,
      value3: unknown,
      id2: number | string,
      limit: number,
      value6: number | string,
      limit2: number,
    ];
    row: {
      readonly snapshot: string;
      readonly epoch: string;
      readonly mark: string;
      readonly lastXid: string;
      readonly isCurrent: boolean | null;
      readonly known: boolean;
      readonly entries: unknown;
      readonly behind: unknown;
      readonly restFrom: string | null;
    };
  };
  'feed-begin-epoch': {
    values: readonly [];
    row: { readonly begin_feed_epoch: boolean | null };
  };
  'flow-by-state': {
    values: readonly [stateDigest: Uint8Array, provider: string, expiresAt: Date | string];
    row: {
      readonly id: string;
      readonly provider: string;
      readonly intent: string;
      readonly redirectTo: string;
      readonly binding: string;
      readonly codeChallenge: string | null;
      readonly userId: string | null;
      readonly encryptedContent: Buffer;
      readonly secretId: string;
    };
  };
  'flow-by-ticket': {
    values: readonly [ticketDigest: Uint8Array, expiresAt: Date | string];
    row: Statements['flow-by-state']['row'];
  };
  'flow-claim': {
    values: readonly [stateDigest: Uint8Array, provider: string, claimedAt: Date | string | null];
    row: Statements['flow-by-state']['row'];
  };
  'flow-finish': {
    values: readonly [
      id: string,
      ticketDigest: Uint8Array | null,
      encryptedContent: Uint8Array,
      secretId: string,
      expiresAt: Date | string,
    ];
    row: { readonly id: string };
  };
  'flow-hold': {
    values: readonly [id: string, expiresAt: Date | string];
    row: Statements['flow-by-state']['row'];
  };
  'flow-insert': {
    values: readonly [
      id: string,
      stateDigest: Uint8Array,
      provider: string,
      intent: string,
      redirectTo: string,
      binding: string,
      codeChallenge: string | null,
      userId: string | null,
      encryptedContent: Uint8Array,
      secretId: string,
      createdAt: Date | string,
      expiresAt: Date | string,
    ];
    row: never;
  };
  'flow-keep': {
    values: readonly [
      id: string,
      value2: boolean,
      expiresAt: Date | string,
      expiresAt2: Date | string,
    ];
    row: Statements['flow-by-state']['row'];
  };
  'flow-remove': {
    values: readonly [id: string];
    row: never;
  };
  'flow-remove-claimed': {
    values: readonly [id: string];
    row: never;
  };
  'flow-take': {
    values: readonly [id: string, expiresAt: Date | string];
    row: Statements['flow-by-state']['row'];
  };
  'identities-list': {
    values: readonly [];
    row: {
      readonly id: string;
      readonly provider: string;
      readonly issuer: string;
      readonly subject: string;
      readonly email: string | null;
      readonly createdAt: string;
      readonly lastUsedAt: string | null;
    };
  };
  'identities-remove-all': {
    values: readonly [addedOn: string | null];
    row: { readonly issuer: string; readonly subject: string };
  };
  'identity-insert': {
    values: readonly [
      id: string,
      provider: string,
      issuer: string,
      subject: string,
      email: string | null,
      createdAt: Date | string,
      addedOn: string | null,
    ];
    row: never;
  };
  'identity-key-insert': {
    values: readonly [key: Uint8Array, userId: string];
    row: never;
  };
  'identity-key-remove': {
    values: readonly [key: Uint8Array];
    row: never;
  };
  'identity-keys-remove-all': {
    values: readonly [userId: string];
    row: never;
  };
  'identity-remove': {
    values: readonly [id: string];
    row: Statements['identities-list']['row'];
  };
  'identity-use': {
    values: readonly [
      issuer: string,
      subject: string,
      email: string | null,
      lastUsedAt: Date | string | null,
    ];
    row: { readonly id: string };
  };
  'identity-user-by-key': {
    values: readonly [key: Uint8Array];
    row: { readonly userId: string };
  };
  'internal-request': {
    values: readonly [key: string];
    row: { readonly digest: Buffer; readonly userId: string };
  };
  'internal-request-claim': {
    values: readonly [key: string, digest: Uint8Array, userId: string];
    row: { readonly key: string };
  };
  'invitation-ending': {
    values: readonly [id: string, tokenHash: Uint8Array, expiresAt: Date | string];
    row: { readonly ending: 'accepted' | 'rejected' | 'withdrawn' | 'replaced' | 'expired' };
  };
  'invitation-insert': {
    values: readonly [
      id: string,
      email: string,
      role: 'owner' | 'admin' | 'member',
      tokenHash: Uint8Array,
      invitedBy: string,
      createdAt: Date | string,
      expiresAt: Date | string,
    ];
    row: never;
  };
  'invitation-member-by-email': {
    values: readonly [email: string];
    row: { readonly id: string };
  };
  'invitation-prepare': {
    values: readonly [
      id: string,
      email: string,
      role: 'owner' | 'admin' | 'member',
      tokenHash: Uint8Array,
      invitedBy: string,
      createdAt: Date | string,
      expiresAt: Date | string,
    ];
    row: { readonly id: string };
  };
  'invitation-remove': {
    values: readonly [id: string, endedAt: Date | string];
    row: { readonly id: string };
  };
  'invitation-shown': {
    values: readonly [id: string, tokenHash: Uint8Array, expiresAt: Date | string];
    row: {
      readonly organizationName: string;
      readonly inviterName: string | null;
      readonly email: string;
      readonly role: 'owner' | 'admin' | 'member';
      readonly expiresAt: string;
      readonly inviterRole: 'owner' | 'admin' | 'member' | null;
    };
  };
  'invitation-take': {
    values: readonly [
      id: string,
      tokenHash: Uint8Array,
      email: string | null,
      expiresAt: Date | string,
      ending: 'accepted' | 'rejected' | 'withdrawn' | 'replaced' | 'expired',
    ];
    row: {
      readonly role: 'owner' | 'admin' | 'member';
      readonly inviterRole: 'owner' | 'admin' | 'member' | null;
    };
  };
  'invitations-end-expired': {
    values: readonly [expiresAt: Date | string];
    row: never;
  };
  'invitations-first-owner': {
    values: readonly [];
    row: { readonly userId: string };
  };
  'invitations-page': {
    values: readonly [expiresAt: Date | string, limit: number, offset: number];
    row: { readonly total: number } & Joined<{
      readonly id: string;
      readonly email: string;
      readonly role: 'owner' | 'admin' | 'member';
      readonly isSent: boolean;
      readonly inviterId: string | null;
      readonly inviterName: string | null;
      readonly createdAt: string;
      readonly expiresAt: string;
    }>;
  };
  'invitations-remove-all': {
    values: readonly [endedAt: Date | string];
    row: { readonly id: string };
  };
  'invitations-sweep-slice': {
    values: readonly [id: string, limit: number];
    row: { readonly id: string };
  };
  'joining-offered': {
    values: readonly [id: string];
    row: { readonly id: string; readonly name: string; readonly twoFactorRequired: boolean };
  };
  'joining-own-domain': {
    values: readonly [id: string];
    row: { readonly organizationId: string; readonly domain: string };
  };
  'joining-standing': {
    values: readonly [domain: string, userId: string];
    row: { readonly role: 'owner' | 'admin' | 'member' | null; readonly mayJoin: boolean };
  };
  'key-expiries-organizations': {
    values: readonly [];
    row: { readonly id: string | null };
  };
  'key-expiries-take': {
    values: readonly [];
    row: {
      readonly name: string | null;
      readonly ending: string;
      readonly expiresAt: string;
      readonly organizationName: string;
    };
  };
  'lockout-forget-devices-of': {
    values: readonly [emailHash: Uint8Array, deviceHashList: readonly Uint8Array[]];
    row: never;
  };
  'lockout-known-device': {
    values: readonly [emailHash: Uint8Array, deviceHash: Uint8Array];
    row: { readonly known: boolean };
  };
  'lockout-locked-until': {
    values: readonly [
      emailHash: Uint8Array,
      deviceHash: Uint8Array | null,
      lockedUntil: Date | string,
    ];
    row: { readonly lockedUntil: Date };
  };
  'lockout-remember-device': {
    values: readonly [emailHash: Uint8Array, deviceHash: Uint8Array, lastSignedInAt: Date | string];
    row: never;
  };
  'lockout-reserve': {
    values: readonly [
      emailHash: Uint8Array,
      deviceHash: Uint8Array | null,
      updatedAt: Date | string,
      value4: number,
      value5: number,
      value6: number,
    ];
    row: {
      readonly emailHash: Buffer;
      readonly deviceHash: Buffer;
      readonly failures: number;
      readonly lockedUntil: Date | null;
    };
  };
  'lockout-reset': {
    values: readonly [emailHash: Uint8Array, deviceHash: Uint8Array, failures: number];
    row: never;
  };
  'lockout-reset-all': {
    values: readonly [emailHash: Uint8Array];
    row: never;
  };
  'logo-read': {
    values: readonly [];
    row: { readonly mediaType: 'image/png' | 'image/jpeg'; readonly content: Buffer };
  };
  'logo-remove': {
    values: readonly [];
    row: never;
  };
  'logo-save': {
    values: readonly [mediaType: 'image/png' | 'image/jpeg', content: Uint8Array];
    row: never;
  };
  'mail-backlog': {
    values: readonly [];
    row: { readonly due: number; readonly oldestSeconds: number };
  };
  'mail-budget-end': {
    values: readonly [key: Uint8Array];
    row: { readonly endsAt: Date };
  };
  'mail-budget-give-back': {
    values: readonly [keyList: readonly Uint8Array[]];
    row: never;
  };
  'mail-budget-spend': {
    values: readonly [
      keyList: readonly Uint8Array[],
      value2: readonly number[],
      value3: readonly number[],
      endsAt: Date | string,
    ];
    row: { readonly key: Buffer };
  };
  'mail-claim': {
    values: readonly [value1: number];
    row: {
      readonly id: string;
      readonly template: string;
      readonly payload: Buffer;
      readonly secretId: string;
      readonly attempts: number;
    };
  };
  'mail-delete-to': {
    values: readonly [recipient: string, template: string | null];
    row: never;
  };
  'mail-failed_at': {
    values: readonly [id: string];
    row: never;
  };
  'mail-insert': {
    values: readonly [
      id: string,
      recipient: string,
      template: string,
      payload: Uint8Array | null,
      secretId: string,
    ];
    row: never;
  };
  'mail-sent_at': {
    values: readonly [id: string];
    row: never;
  };
  'mailed-sign-in-by-binding': {
    values: readonly [id: string, binding: string, expiresAt: Date | string];
    row: {
      readonly id: string;
      readonly email: string;
      readonly name: string | null;
      readonly admission: string | null;
      readonly flowId: string | null;
      readonly binding: string;
      readonly letterOf: string;
    };
  };
  'mailed-sign-in-by-token': {
    values: readonly [id: string, tokenDigest: Uint8Array, expiresAt: Date | string];
    row: Statements['mailed-sign-in-by-binding']['row'];
  };
  'mailed-sign-in-forget-address': {
    values: readonly [email: string];
    row: never;
  };
  'mailed-sign-in-give-back': {
    values: readonly [id: string];
    row: never;
  };
  'mailed-sign-in-hold': {
    values: readonly [id: string, expiresAt: Date | string];
    row: { readonly id: string };
  };
  'mailed-sign-in-insert': {
    values: readonly [
      id: string,
      email: string,
      name: string | null,
      admission: string | null,
      flowId: string | null,
      codeHash: Uint8Array,
      tokenDigest: Uint8Array,
      binding: string,
      letterOf: string | null,
      createdAt: Date | string,
      expiresAt: Date | string,
    ];
    row: never;
  };
  'mailed-sign-in-shared-letter': {
    values: readonly [email: string, expiresAt: Date | string];
    row: { readonly id: string };
  };
  'mailed-sign-in-take': {
    values: readonly [id: string, expiresAt: Date | string];
    row: { readonly id: string };
  };
  'mailed-sign-in-try': {
    values: readonly [id: string, expiresAt: Date | string];
    row: { readonly id: string; readonly codeHash: Buffer };
  };
  'mailed-token-find': {
    values: readonly [
      id: string,
      purpose: 'password-reset' | 'email-verification' | 'email-change',
      digest: Uint8Array,
      expiresAt: Date | string,
    ];
    row: { readonly email: string };
  };
  'mailed-token-insert': {
    values: readonly [
      id: string,
      purpose: 'password-reset' | 'email-verification' | 'email-change',
      digest: Uint8Array,
      email: string,
      createdAt: Date | string,
      expiresAt: Date | string,
    ];
    row: never;
  };
  'mailed-token-take': {
    values: readonly [
      id: string,
      purpose: 'password-reset' | 'email-verification' | 'email-change',
      digest: Uint8Array,
      expiresAt: Date | string,
    ];
    row: { readonly id: string };
  };
  'mailed-tokens-forget-expired': {
    values: readonly [expiresAt: Date | string];
    row: never;
  };
  'mailed-tokens-remove': {
    values: readonly [
      purposeList: readonly ('password-reset' | 'email-verification' | 'email-change')[],
    ];
    row: never;
  };
  'member-by-id': {
    values: readonly [userId: string];
    row: {
      readonly userId: string;
      readonly name: string;
      readonly email: string;
      readonly role: 'owner' | 'admin' | 'member';
      readonly disabled: boolean;
      readonly twoFactor: boolean;
      readonly createdAt: string;
    };
  };
  'member-first-organization': {
    values: readonly [];
    row: { readonly organizationId: string };
  };
  'member-forget-removal': {
    values: readonly [userId: string];
    row: never;
  };
  'member-give-back': {
    values: readonly [id: string, disabledByOrganizationId: string, updatedAt: Date | string];
    row: { readonly id: string };
  };
  'member-insert': {
    values: readonly [userId: string, role: 'owner' | 'admin' | 'member', createdAt: Date | string];
    row: { readonly id: string };
  };
  'member-lock-disabled-by': {
    values: readonly [disabledByOrganizationId: string];
    row: { readonly id: string };
  };
  'member-note-removal': {
    values: readonly [userId: string, removedAt: Date | string];
    row: never;
  };
  'member-organization-ids': {
    values: readonly [];
    row: { readonly organizationId: string };
  };
  'member-other-membership': {
    values: readonly [organizationId: string];
    row: { readonly one: number };
  };
  'member-remove': {
    values: readonly [userId: string];
    row: never;
  };
  'member-set-role': {
    values: readonly [userId: string, role: 'owner' | 'admin' | 'member', updatedAt: Date | string];
    row: never;
  };
  'member-standing': {
    values: readonly [userId: string, userId2: string];
    row: {
      readonly actorRole: 'owner' | 'admin' | 'member' | null;
      readonly targetRole: 'owner' | 'admin' | 'member' | null;
      readonly otherOwners: boolean;
    };
  };
  'members-others': {
    values: readonly [userId: string];
    row: Statements['member-by-id']['row'];
  };
  'members-page': {
    values: readonly [
      limit: number,
      offset: number,
      value4: string | null,
      hasSecondFactor: boolean | null,
    ];
    row: { readonly total: number } & Joined<Statements['member-by-id']['row']>;
  };
  'members-reachable-owners': {
    values: readonly [];
    row: { readonly email: string; readonly name: string };
  };
  'organization-export-letter': {
    values: readonly [id: string, value3: Date | string];
    row: { readonly organizationName: string; readonly by: string; readonly isTold: boolean };
  };
  'organization-lock': {
    values: readonly [];
    row: { readonly id: string };
  };
  'organization-lock-owner': {
    values: readonly [id: string];
    row: { readonly timeZone: string | null };
  };
  'organization-undeclared-connection': {
    values: readonly [];
    row: { readonly id: string };
  };
  'organizations-of-user': {
    values: readonly [value2: string, organizationId: string | null];
    row: {
      readonly id: string;
      readonly name: string;
      readonly slug: string;
      readonly createdAt: string;
      readonly role: 'owner' | 'admin' | 'member';
      readonly twoFactorRequired: boolean;
      readonly ssoRequired: boolean;
      readonly accessible: boolean;
    };
  };
  'organizations-personal': {
    values: readonly [];
    row: { readonly id: string };
  };
  'passkey-by-credential': {
    values: readonly [rpId: string, credentialId: Uint8Array];
    row: {
      readonly id: string;
      readonly credentialId: Buffer;
      readonly publicKey: Buffer;
      readonly counter: string;
      readonly transports: readonly string[] | null;
      readonly backupEligible: boolean;
      readonly backedUp: boolean;
      readonly name: string;
      readonly createdAt: string;
      readonly lastUsedAt: string | null;
    };
  };
  'passkey-challenge-use': {
    values: readonly [digest: Uint8Array, expiresAt: Date | string];
    row: { readonly digest: Buffer };
  };
  'passkey-insert': {
    values: readonly [
      id: string,
      credentialId: Uint8Array,
      publicKey: Uint8Array,
      counter: number | string,
      transports: readonly string[],
      rpId: string,
      backupEligible: boolean,
      backedUp: boolean,
      name: string,
      createdAt: Date | string,
      addedOn: string | null,
    ];
    row: never;
  };
  'passkey-remove': {
    values: readonly [id: string];
    row: { readonly id: string };
  };
  'passkey-use': {
    values: readonly [
      id: string,
      counter: number | string,
      backedUp: boolean,
      lastUsedAt: Date | string | null,
    ];
    row: { readonly id: string };
  };
  'passkeys-of-user': {
    values: readonly [rpId: string];
    row: Statements['passkey-by-credential']['row'];
  };
  'passkeys-remove-all': {
    values: readonly [addedOn: string | null];
    row: { readonly id: string };
  };
  'pending-forget-enrolment': {
    values: readonly [];
    row: never;
  };
  'pending-forget-links': {
    values: readonly [userId: string];
    row: never;
  };
  'pending-forget-sign-ins': {
    values: readonly [];
    row: never;
  };
  'places-accounts-made': {
    values: readonly [createdByOrganizationId: string];
    row: { readonly accounts: number };
  };
  'places-in-organization': {
    values: readonly [expiresAt: Date | string];
    row: { readonly taken: number; readonly isConfirmed: boolean };
  };
  'places-of-user': {
    values: readonly [];
    row: { readonly taken: number; readonly isConfirmed: boolean };
  };
  'places-ways-in': {
    values: readonly [];
    row: {
      readonly serviceAccounts: number;
      readonly domains: number;
      readonly connections: number;
    };
  };
  profile: {
    values: readonly [id: string];
    row: {
      readonly id: string;
      readonly email: string;
      readonly name: string;
      readonly language: string | null;
      readonly timeZone: string | null;
      readonly emailVerified: boolean;
    };
  };
  'profile-lock': {
    values: readonly [id: string];
    row: Statements['profile']['row'];
  };
  'revocation-of-keys': {
    values: readonly [
      organization: string | null,
      sub: string | null,
      sidList: readonly (string | null)[],
      until: Date | string,
    ];
    row: { readonly beyond: boolean | null };
  };
  'revocation-of-member': {
    values: readonly [sub: string | null, issuedBefore: Date | string | null, until: Date | string];
    row: never;
  };
  'revocation-of-organization': {
    values: readonly [issuedBefore: Date | string | null, until: Date | string];
    row: never;
  };
  'revocation-of-session': {
    values: readonly [
      sub: string | null,
      sid: string | null,
      issuedBefore: Date | string | null,
      until: Date | string,
    ];
    row: { readonly tokensFrom: Date | null };
  };
  'revocation-of-user': {
    values: readonly [sub: string | null, issuedBefore: Date | string | null, until: Date | string];
    row: never;
  };
  'saml-assertion-use': {
    values: readonly [digest: Uint8Array, expiresAt: Date | string];
    row: { readonly digest: Buffer };
  };
  'scim-token-hold': {
    values: readonly [id: string, connectionId: string, digest: Uint8Array];
    row: { readonly id: string };
  };
  'scim-token-insert': {
    values: readonly [
      id: string,
      connectionId: string,
      digest: Uint8Array,
      ending: string,
      createdBy: string,
      createdAt: Date | string,
    ];
    row: never;
  };
  'scim-token-remove': {
    values: readonly [connectionId: string, id: string];
    row: { readonly ending: string };
  };
  'scim-token-use': {
    values: readonly [id: string, connectionId: string, digest: Uint8Array, value5: Date | string];
    row: { readonly tokenId: string; readonly connectionName: string };
  };
  'scim-tokens': {
    values: readonly [connectionId: string];
    row: {
      readonly id: string;
      readonly ending: string;
      readonly createdBy: string;
      readonly createdByName: string | null;
      readonly createdAt: string;
      readonly lastUsedAt: string | null;
    };
  };
  'service-account': {
    values: readonly [id: string];
    row: { readonly name: string; readonly role: 'member' | 'admin'; readonly keyCount: number };
  };
  'service-account-insert': {
    values: readonly [
      id: string,
      name: string,
      role: 'member' | 'admin',
      createdBy: string,
      createdAt: Date | string,
    ];
    row: never;
  };
  'service-account-remove': {
    values: readonly [id: string];
    row: never;
  };
  'service-account-update': {
    values: readonly [id: string, name: string, role: 'member' | 'admin', updatedAt: Date | string];
    row: never;
  };
  'service-accounts': {
    values: readonly [id: string | null];
    row: {
      readonly id: string;
      readonly name: string;
      readonly role: 'member' | 'admin';
      readonly createdBy: string;
      readonly createdByName: string | null;
      readonly createdAt: string;
    };
  };
  'service-accounts-count': {
    values: readonly [];
    row: { readonly accounts: number };
  };
  'session-activate-organization': {
    values: readonly [
      id: string,
      organizationId: string,
      expiresAt: Date | string,
      lastActiveAt: Date | string,
    ];
    row: {
      readonly userId: string;
      readonly email: string;
      readonly userName: string;
      readonly sessionId: string;
      readonly confinedTo: string | null;
      readonly connectionId: string | null;
      readonly deviceId: string | null;
      readonly userAgent: string | null;
      readonly ipAddress: string | null;
      readonly otherIpAddress: string | null;
      readonly amr: readonly string[];
      readonly acr: 'aal2' | 'aal1';
      readonly authenticatedAt: Date;
      readonly createdAt: Date;
      readonly expiresAt: Date;
      readonly organizationId: string;
      readonly organizationName: string;
      readonly slug: string;
      readonly organizationCreatedAt: Date;
      readonly role: 'owner' | 'admin' | 'member';
      readonly refusal: 'TWO_FACTOR_REQUIRED' | 'SSO_REQUIRED' | null;
      readonly isUnannounced: boolean;
      readonly tokensFrom: Date | null;
    };
  };
  'session-announce': {
    values: readonly [id: string, announcedToList: string];
    row: { readonly id: string };
  };
  'session-begin-next-in': {
    values: readonly [id: string, lastOrganizationId: string | null];
    row: never;
  };
  'session-catch-up': {
    values: readonly [
      id: string,
      refreshGeneration: number,
      refreshHash: Uint8Array,
      refreshRotatedAt: Date | string,
    ];
    row: never;
  };
  'session-continued': {
    values: readonly [id: string, expiresAt: Date | string];
    row: {
      readonly generation: number;
      readonly hash: Buffer;
      readonly formerHashes: readonly Buffer[];
      readonly rotatedAt: Date;
      readonly continuedBy: string;
    };
  };
  'session-enter': {
    values: readonly [value2: string, organizationId: string | null];
    row: {
      readonly userId: string;
      readonly email: string;
      readonly userName: string;
      readonly role: 'owner' | 'admin' | 'member' | null;
      readonly refusal: 'TWO_FACTOR_REQUIRED' | 'SSO_REQUIRED' | null;
      readonly isUnannounced: boolean | null;
      readonly tokensFrom: Date | null;
    } & Joined<{
      readonly organizationId: string;
      readonly organizationName: string;
      readonly slug: string;
      readonly organizationCreatedAt: Date;
    }>;
  };
  'session-hold-organization': {
    values: readonly [];
    row: { readonly id: string };
  };
  'session-insert': {
    values: readonly [
      id: string,
      activeOrganizationId: string | null,
      deviceId: string | null,
      userAgent: string | null,
      ipAddress: string | null,
      otherIpAddress: string | null,
      deviceProducts: string | null,
      factors: readonly string[],
      acr: 'aal1' | 'aal2' | null,
      refreshHash: Uint8Array,
      authenticatedAt: Date | string,
      createdAt: Date | string,
      refreshRotatedAt: Date | string,
      expiresAt: Date | string,
      confinedTo: string | null,
      connectionId: string | null,
      announcedTo: readonly string[],
    ];
    row: never;
  };
  'session-live': {
    values: readonly [
      id: string,
      organizationId: string | null,
      expiresAt: Date | string,
      lastActiveAt: Date | string,
    ];
    row: {
      readonly userId: string;
      readonly email: string;
      readonly userName: string;
      readonly sessionId: string;
      readonly confinedTo: string | null;
      readonly connectionId: string | null;
      readonly deviceId: string | null;
      readonly userAgent: string | null;
      readonly ipAddress: string | null;
      readonly otherIpAddress: string | null;
      readonly amr: readonly string[];
      readonly acr: 'aal2' | 'aal1';
      readonly authenticatedAt: Date;
      readonly createdAt: Date;
      readonly expiresAt: Date;
      readonly role: 'owner' | 'admin' | 'member' | null;
      readonly refusal: 'TWO_FACTOR_REQUIRED' | 'SSO_REQUIRED' | null;
      readonly isUnannounced: boolean | null;
      readonly tokensFrom: Date | null;
    } & Joined<{
      readonly organizationId: string;
      readonly organizationName: string;
      readonly slug: string;
      readonly organizationCreatedAt: Date;
    }>;
  };
  'session-lock-user': {
    values: readonly [];
    row: { readonly id: string };
  };
  'session-rebind': {
    values: readonly [id: string, ipAddress: string | null, expiresAt: Date | string];
    row: never;
  };
  'session-refresh-family': {
    values: readonly [
      id: string,
      organizationId: string | null,
      expiresAt: Date | string,
      lastActiveAt: Date | string,
    ];
    row: {
      readonly userId: string;
      readonly email: string;
      readonly userName: string;
      readonly sessionId: string;
      readonly confinedTo: string | null;
      readonly connectionId: string | null;
      readonly deviceId: string | null;
      readonly userAgent: string | null;
      readonly ipAddress: string | null;
      readonly otherIpAddress: string | null;
      readonly amr: readonly string[];
      readonly acr: 'aal2' | 'aal1';
      readonly authenticatedAt: Date;
      readonly createdAt: Date;
      readonly expiresAt: Date;
      readonly role: 'owner' | 'admin' | 'member' | null;
      readonly refusal: 'TWO_FACTOR_REQUIRED' | 'SSO_REQUIRED' | null;
      readonly isUnannounced: boolean | null;
      readonly tokensFrom: Date | null;
      readonly generation: number;
      readonly hash: Buffer;
      readonly formerHashes: readonly Buffer[];
      readonly rotatedAt: Date;
      readonly lastActiveAt: Date;
    } & Joined<{
      readonly organizationId: string;
      readonly organizationName: string;
      readonly slug: string;
      readonly organizationCreatedAt: Date;
    }>;
  };
  'session-resume': {
    values: readonly [value2: string];
    row: Statements['session-enter']['row'] & Joined<{
      readonly refusedOrganizationId: string;
      readonly formerRefusal: 'TWO_FACTOR_REQUIRED' | 'SSO_REQUIRED' | null;
    }>;
  };
  'session-revoke': {
    values: readonly [id: string, revokedAt: Date | string | null, lastActiveAt: Date | string];
    row: { readonly id: string; readonly confinedTo: string | null };
  };
  'session-rotate-refresh-token': {
    values: readonly [
      id: string,
      organizationId: string | null,
      refreshRotatedAt: Date | string,
      lastActiveAt: Date | string,
      refreshGeneration: number,
      refreshHash: Uint8Array,
      refreshHash2: Uint8Array,
      value9: string | null,
      ipAddress: string | null,
      otherIpAddress: string | null,
      value12: boolean,
    ];
    row: Statements['session-live']['row'];
  };
  'session-supersede': {
    values: readonly [
      id: string,
      revokedAt: Date | string | null,
      lastActiveAt: Date | string,
      continuedBy: string | null,
    ];
    row: {
      readonly organizationId: string | null;
      readonly announcedTo: readonly string[];
      readonly amr: readonly string[];
      readonly acr: 'aal2' | 'aal1';
    };
  };
  'session-touch': {
    values: readonly [id: string, lastActiveAt: Date | string];
    row: never;
  };
  'session-up-to': {
    values: readonly [
      id: string,
      expiresAt: Date | string,
      lastActiveAt: Date | string,
      value5: string,
    ];
    row: {
      readonly deviceId: string | null;
      readonly userAgent: string | null;
      readonly ipAddress: string | null;
      readonly otherIpAddress: string | null;
      readonly authenticatedAt: Date;
      readonly confinedTo: string | null;
    };
  };
  'sessions-end-confined': {
    values: readonly [confinedTo: string, revokedAt: Date | string | null];
    row: { readonly id: string };
  };
  'sessions-end-of-connection': {
    values: readonly [value1: string | null, value2: Date | string | null];
    row: { readonly userId: string; readonly sessionId: string };
  };
  'sessions-forget-expired': {
    values: readonly [expiresAt: Date | string];
    row: never;
  };
  'sessions-live': {
    values: readonly [expiresAt: Date | string, lastActiveAt: Date | string];
    row: {
      readonly id: string;
      readonly deviceId: string | null;
      readonly userAgent: string | null;
      readonly ipAddress: string | null;
      readonly createdAt: string;
      readonly lastActiveAt: string;
      readonly expiresAt: string;
      readonly organizationId: string | null;
      readonly confinedTo: string | null;
      readonly connectionId: string | null;
    };
  };
  'sessions-move-on': {
    values: readonly [lastOrganizationId: string, activeOrganizationId: string | null];
    row: never;
  };
  'sessions-revoke-all': {
    values: readonly [
      id: string | null,
      revokedAt: Date | string | null,
      lastActiveAt: Date | string,
      factorsList: string | null,
      value6: string | null,
    ];
    row: { readonly id: string };
  };
  'sessions-revoke-oldest': {
    values: readonly [revokedAt: Date | string | null, offset: number, confinedTo: string | null];
    row: { readonly id: string };
  };
  'sessions-withdraw-factors': {
    values: readonly [
      factors: readonly string[],
      value3: readonly string[],
      revokedAt: Date | string | null,
    ];
    row: { readonly id: string };
  };
  'signing-key-add': {
    values: readonly [
      kid: string,
      publicJwk: unknown,
      encryptedPrivateKey: Uint8Array,
      secretId: string,
      notBefore: Date | string,
    ];
    row: never;
  };
  'signing-key-advance': {
    values: readonly [kid: string, notBefore: Date | string];
    row: never;
  };
  'signing-key-remove': {
    values: readonly [kid: string];
    row: never;
  };
  'signing-key-replace-encryption': {
    values: readonly [
      kid: string,
      encryptedPrivateKey: Uint8Array,
      secretId: string,
      secretId2: string,
    ];
    row: never;
  };
  'signing-keys': {
    values: readonly [];
    row: { readonly at: Date } & Joined<{
      readonly kid: string;
      readonly publicJwk: unknown;
      readonly encryptedPrivateKey: Buffer;
      readonly secretId: string;
      readonly signsFrom: Date;
    }>;
  };
  'signing-keys-lock': {
    values: readonly [];
    row: { readonly locked: unknown };
  };
  'sso-requirement': {
    values: readonly [userId: string | null];
    row: {
      readonly required: boolean;
      readonly organizationName: string;
      readonly connectionId: string | null;
      readonly triedAt: Date | null;
    };
  };
  'sso-requirement-locked-out': {
    values: readonly [];
    row: { readonly name: string; readonly total: number };
  };
  sweep: {
    values:
      | readonly []
      | readonly [value1: number | null]
      | readonly [value1: number];
    row:
      | { readonly rows: number | null }
      | { readonly rows: number };
  };
  'two-factor-advance': {
    values: readonly [
      lastTimeStep: number,
      encryptedSecret: Uint8Array | null,
      secretId: string | null,
    ];
    row: { readonly userId: string };
  };
  'two-factor-authenticator': {
    values: readonly [];
    row: {
      readonly encryptedSecret: Buffer | null;
      readonly secretId: string | null;
      readonly enabledAt: Date | null;
      readonly createdAt: Date;
      readonly begunBy: string | null;
      readonly lastTimeStep: number;
      readonly failures: number;
      readonly lockedUntil: Date | null;
      readonly backupCodesLeft: number;
    };
  };
  'two-factor-begin': {
    values: readonly [
      encryptedSecret: Uint8Array | null,
      secretId: string | null,
      createdAt: Date | string,
      begunBy: string | null,
      addedOn: string | null,
    ];
    row: never;
  };
  'two-factor-enable': {
    values: readonly [enabledAt: Date | string | null];
    row: never;
  };
  'two-factor-forget-backup-codes': {
    values: readonly [];
    row: never;
  };
  'two-factor-insert-backup-codes': {
    values: readonly [value2: readonly Uint8Array[]];
    row: never;
  };
  'two-factor-lock-user': {
    values: readonly [];
    row: { readonly id: string; readonly email: string; readonly name: string };
  };
  'two-factor-record-failure': {
    values: readonly [failures: number, lockedUntil: Date | string | null];
    row: never;
  };
  'two-factor-remove': {
    values: readonly [addedOn: string | null];
    row: { readonly enabled: boolean };
  };
  'two-factor-spend-backup-code': {
    values: readonly [codeHash: Uint8Array, usedAt: Date | string | null];
    row: { readonly userId: string };
  };
  'two-factor-state': {
    values: readonly [];
    row: { readonly enabled: boolean; readonly hasApp: boolean; readonly backupCodesLeft: number };
  };
  'user-lock': {
    values: readonly [];
    row: { readonly id: string; readonly email: string; readonly name: string };
  };
}
