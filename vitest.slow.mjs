import { existsSync } from 'node:fs';

/**
 * Test files that take about ten seconds or more on two cores. `npm test` leaves them to `npm run test:slow`, so that it stays below
 * five minutes; `npm test -- auth-service` runs all of a project.
 */
export const slowFiles = [
  'apps/auth-service/test/account-changes.races.test.ts',
  'apps/auth-service/test/claimed-addresses.test.ts',
  'apps/auth-service/test/connections.test.ts',
  'apps/auth-service/test/disabling.test.ts',
  'apps/auth-service/test/domains.test.ts',
  'apps/auth-service/test/feeds.test.ts',
  'apps/auth-service/test/first-proof.test.ts',
  'apps/auth-service/test/late-endings.test.ts',
  'apps/auth-service/test/mail-budget.test.ts',
  'apps/auth-service/test/members.races.test.ts',
  'apps/auth-service/test/members.test.ts',
  'apps/auth-service/test/organization-deletion.test.ts',
  'apps/auth-service/test/passkeys.second-factor.test.ts',
  'apps/auth-service/test/pre-hijacking.test.ts',
  'apps/auth-service/test/provisioning-limits.test.ts',
  'apps/auth-service/test/rate-limits.test.ts',
  'apps/auth-service/test/refresh-binding.test.ts',
  'apps/auth-service/test/refresh.model.test.ts',
  'apps/auth-service/test/revocations.test.ts',
  'apps/auth-service/test/saml.attacks.test.ts',
  'apps/auth-service/test/scim.groups.attacks.test.ts',
  'apps/auth-service/test/second-revocations.test.ts',
  'apps/auth-service/test/service-accounts.test.ts',
  'apps/auth-service/test/sign-in-limits.test.ts',
  'apps/auth-service/test/signing-keys.removal.test.ts',
  'apps/auth-service/test/sso-requirement.test.ts',
  'apps/auth-service/test/step-up.test.ts',
  'apps/auth-service/test/sweeps.test.ts',
  'apps/auth-service/test/two-factor-requirement.test.ts',
  'apps/auth-service/test/two-factor-reset.test.ts',
  'apps/gateway/test/connections.test.ts',
  'apps/gateway/test/failures.test.ts',
  'apps/gateway/test/own-routes.test.ts',
  'apps/gateway/test/turns.test.ts',
  'apps/leads-service/test/export.test.ts',
  'apps/leads-service/test/faults.test.ts',
  'apps/leads-service/test/import.test.ts',
  'apps/leads-service/test/service.test.ts',
  'apps/quotation-service/test/catalog.test.ts',
  'apps/quotation-service/test/customer-import.test.ts',
  'apps/quotation-service/test/large-customer-files.test.ts',
  'apps/quotation-service/test/letters.test.ts',
  'apps/quotation-service/test/offers.test.ts',
  'apps/quotation-service/test/organization-end.test.ts',
  'apps/quotation-service/test/pdf/quote-pdf.test.ts',
  'apps/quotation-service/test/sending.test.ts',
  'apps/quotation-service/test/service.test.ts',
  'apps/quotation-service/test/settings.test.ts',
  'libs/dev-database/test/apply.test.ts',
  'libs/dev-database/test/migrate.test.ts',
  'libs/service-tests/test/events.test.ts',
  'libs/service-tests/test/organization-ends.test.ts',
  'libs/tenancy/test/pool.test.ts',
  'libs/tenancy/test/replica.test.ts',
  'libs/test-kit/test/database.test.ts',
  'tools/test/console-build.test.ts',
];

// A file that was moved would be slow in `npm test` and missing in the other.
for (const file of slowFiles)
  if (!existsSync(`${import.meta.dirname}/${file}`))
    throw new Error(`vitest.slow.mjs lists ${file}, which is not there`);
