import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sweptTables = readFileSync(new URL('sweeps.test.ts', import.meta.url), 'utf8');

/** What keeps each model from growing without end. A new one needs a line, and the bound that it names. */
const bounds: Readonly<Record<string, string>> = {
  User: 'limit: RATE_LIMIT_SIGN_UP_PER_HOUR, and MAX_PEOPLE_PER_ORGANIZATION for accounts made for others',
  Credential: 'key: one of a user',
  Session: 'sweep: sessions; MAX_SESSIONS_PER_USER are alive',
  Organization: 'quota: MAX_ORGANIZATIONS_PER_USER',
  OrganizationLogo: 'key: one of an organization',
  DeletedOrganization:
    'quota: MAX_ORGANIZATIONS_PER_USER counts those of its owners; purged after the grace period',
  FormerMember: 'quota: MAX_PEOPLE_PER_ORGANIZATION; purged with the organization',
  Member: 'quota: MAX_PEOPLE_PER_ORGANIZATION and MAX_ORGANIZATIONS_PER_USER',
  Invitation: 'quota: MAX_PEOPLE_PER_ORGANIZATION',
  EndedInvitation: 'limit: RATE_LIMIT_INVITATIONS_PER_HOUR; deleted after 30 days with the invitations',
  ServiceAccount: 'quota: 20 of an organization',
  ApiKey: 'quota: five of a service account',
  Domain: 'quota: 20 of an organization',
  DomainKey: 'quota: one of a domain of an organization',
  Connection: 'quota: five of an organization',
  ConnectionKey: 'key: one of an organization',
  ConnectionIdentity: 'quota: five of a member, one of each connection',
  ScimToken: 'quota: two of a connection',
  DirectoryPerson: 'quota: 50,000 of a connection, those who have left included',
  DirectoryGroup: 'quota: 1,000 of a connection',
  DirectoryGroupMember: 'quota: 10,000 of a group',
  Arrival: 'quota: the last 100 of each kind for each connection',
  RemovedMember:
    'limit: RATE_LIMIT_INVITATIONS_PER_HOUR and RATE_LIMIT_ACCOUNT_CHANGES_PER_HOUR; gone with the user',
  SigningKey: 'limit: made by the schedule of keys alone',
  Revocation: 'sweep: revocations',
  Event: 'sweep: events',
  FeedHistory: 'key: one row',
  FeedMark: 'sweep: revocationMarks, eventMarks',
  AuditEvent: 'sweep: audit',
  UserAuditEvent: 'sweep: ownAudit',
  Mail: 'sweep: mail',
  MailBudget: 'sweep: mailBudgets',
  MailedToken: 'sweep: mailedTokens',
  SignInFailures: 'sweep: signInFailures',
  KnownDevice: 'sweep: knownDevices',
  Passkey: 'quota: 20 of a user',
  UsedPasskeyChallenge: 'sweep: usedPasskeyChallenges',
  UsedSamlAssertion: 'sweep: usedSamlAssertions',
  MailedSignIn: 'sweep: mailedSignIns',
  TwoFactor: 'key: one of a user',
  BackupCode: 'quota: ten of a user, replaced together',
  TwoFactorChallenge: 'sweep: challenges',
  InternalRequest: 'sweep: internalRequests',
  SignInFlow: 'sweep: signInFlows',
  Identity: 'quota: 20 of a user',
  IdentityKey: 'quota: one of an identity',
};

test('every table of auth-service is bounded by its key, a quota, a sweep or a limit [S-204]', () => {
  const settings = readFileSync(new URL('../src/config.ts', import.meta.url), 'utf8');
  const schema = readFileSync(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
  const models = Array.from(schema.matchAll(/^model (\w+)/gm), ([, name]) => name);
  expect(models.toSorted()).toEqual(Object.keys(bounds).toSorted());
  for (const [model, bound] of Object.entries(bounds)) {
    expect(bound, model).toMatch(/^(?:key|quota|sweep|limit): /);
    for (const [setting] of bound.matchAll(/[A-Z]+(?:_[A-Z]+)+/g))
      expect(settings, model).toContain(`  ${setting}:`);
    const [, sweeps = ''] = /^sweep: ([\w, ]+)/.exec(bound) ?? [];
    for (const sweep of sweeps.split(', ').filter(Boolean))
      expect(sweptTables, model).toContain(`  ${sweep}: {`);
  }
});
