import { archiveTables } from '@tenantry/service/archive';
import { statement } from '../../database.ts';
import { Prisma } from '../../generated/prisma/client.ts';

const elsewhere =
  'an import brings the settings, and an owner invites the people: nothing else is taken over';
const tokens = 'since when its access tokens count';
const account = 'of an account, which belongs to its user';
const installation = 'of this installation, and of no organization';
const underWay = 'a sign-in that is under way; of no organization';

/** What auth-service has of an organization: the people are in it as what they are here, without their accounts. */
export const organizationArchive = {
  name: 'Auth',
  tables: archiveTables(
    statement,
    {
      exported: {
        organizations: {
          fields: Prisma.OrganizationScalarFieldEnum,
          from: 'organizations AS t (organization_id)',
          order: 't.slug',
          without: { id: 'the manifest has it' },
          notImported: elsewhere,
        },
        organization_logos: {
          fields: Prisma.OrganizationLogoScalarFieldEnum,
          order: 't.media_type',
          bytes: { content: 'the picture' },
          notImported: elsewhere,
        },
        members: {
          fields: Prisma.MemberScalarFieldEnum,
          from: 'members AS t JOIN users AS u ON u.id = t.user_id',
          also: { email: 'u.email', name: 'u.name', is_disabled: 'u.disabled_at IS NOT NULL' },
          order: 't.user_id',
          without: { tokensFrom: tokens },
          notImported: elsewhere,
        },
        invitations: {
          fields: Prisma.InvitationScalarFieldEnum,
          order: 't.id',
          without: { tokenHash: 'the digest of a token' },
          notImported: elsewhere,
        },
        service_accounts: {
          fields: Prisma.ServiceAccountScalarFieldEnum,
          order: 't.id',
          without: { tokensFrom: tokens },
          notImported: elsewhere,
        },
        domains: {
          fields: Prisma.DomainScalarFieldEnum,
          order: 't.id',
          without: { challenge: 'proves the domain to this installation' },
          notImported: elsewhere,
        },
        connections: {
          fields: Prisma.ConnectionScalarFieldEnum,
          order: 't.id',
          without: {
            encryptedSecret: 'a secret',
            secretId: 'says what encrypts it',
            signInSlot: 'where the last arrival is',
            directorySlot: 'where the last arrival is',
          },
          notImported: elsewhere,
        },
        directory_groups: {
          fields: Prisma.DirectoryGroupScalarFieldEnum,
          order: 't.connection_id, t.id',
          notImported: elsewhere,
        },
        audit_events: {
          fields: Prisma.AuditEventScalarFieldEnum,
          order: 't.id',
          notImported: 'a trail says what happened in its installation',
        },
      },
      derived: {},
      kept: {
        ended_invitations: 'digests of tokens, to say why an invitation cannot be used any more',
        api_keys: 'digests of keys: a key is a secret',
        scim_tokens: 'digests of tokens',
        domain_keys: 'which domains are proven in this installation',
        connection_keys: 'which connection signs people in here',
        connection_identities: 'links accounts of this installation with those of an identity provider',
        directory_people: 'the directory tells of its people',
        directory_group_members: 'the directory tells who is in a group',
        arrivals: 'the last sign-ins by a connection, to find out why one fails',
        removed_members: 'accounts that come back by invitation alone',
        deleted_organizations: 'an organization that can be restored; it is exported before it is deleted',
        former_members: 'who belonged to an organization that was deleted',
        ...{ events: 'told to the services of this installation', revocations: 'told to its verifiers' },
        ...{ users: account, credentials: account, sessions: account, user_audit_events: account },
        ...{ two_factor: account, two_factor_backup_codes: account, passkeys: account },
        ...{ identities: account, identity_keys: account, mailed_tokens: account },
        ...{ two_factor_challenges: underWay, mailed_sign_ins: underWay, sign_in_flows: underWay },
        ...{ used_passkey_challenges: underWay, used_saml_assertions: underWay },
        ...{ sign_in_failures: underWay, known_devices: account },
        ...{ signing_keys: installation, feed_history: installation, feed_marks: installation },
        ...{ mail_outbox: 'letters that this installation still sends', mail_budgets: installation },
        internal_requests: 'answers of this installation to its services',
      },
    },
    { sharesTables: false },
  ),
  sheets: [
    {
      name: 'people',
      table: 'members',
      columns: {
        ...{ user_id: 'id', email: 'email', name: 'name', role: 'role' },
        ...{ is_disabled: 'disabled', created_at: 'joinedAt' },
      },
    },
    {
      name: 'invitations',
      table: 'invitations',
      columns: { email: 'email', role: 'role', created_at: 'createdAt', expires_at: 'expiresAt' },
    },
    {
      name: 'activity',
      table: 'audit_events',
      columns: {
        ...{ created_at: 'at', actor_name: 'by', action: 'action', target_type: 'targetType' },
        ...{ target_name: 'target', target_id: 'targetId', details: 'details' },
      },
    },
  ],
};
