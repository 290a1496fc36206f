import type { OperationId } from '@tenantry/client';
import type { ComponentType } from 'react';
import { connectionWords } from './access/connections.words.ts';
import { directoryWords } from './access/directory.words.ts';
import { domainWords } from './access/domains.words.ts';
import { serviceAccountWords } from './access/service-accounts.words.ts';
import { accountWords } from './accounts/accounts.words.ts';
import { activityWords } from './accounts/activity.words.ts';
import { recoveryWords } from './accounts/recovery.words.ts';
import { twoFactorWords } from './accounts/two-factor.words.ts';
import { waysInWords } from './accounts/ways-in.words.ts';
import { organizationActivityWords } from './activity/activity.words.ts';
import { customerWords } from './customers/customers.words.ts';
import { actorWords } from './design/actor.words.ts';
import type { Words } from './design/language.ts';
import { homeWords } from './home/home.words.ts';
import { importWords } from './imports/import.words.ts';
import { leadWords } from './leads/leads.words.ts';
import { exportWords } from './organizations/export.words.ts';
import { invitationWords } from './organizations/invitations.words.ts';
import { organizationWords } from './organizations/organizations.words.ts';
import { settingsWords } from './organizations/settings.words.ts';
import { peopleWords } from './people/people.words.ts';
import { editorWords } from './quotes/editor/editor.words.ts';
import { quoteWords } from './quotes/quotes.words.ts';
import { sentWords } from './quotes/sent/sent.words.ts';
import { sessionWords } from './sessions/sessions.words.ts';
import { waysWords } from './sessions/ways/ways.words.ts';

/** A page: its address, whom it is for, and where it is. */
export interface PageEntry {
  /** `$id` stands for any part of an address, `{-$id}` for a last one that may be left out. */
  readonly path: `/${string}`;
  /** `signed-out`: somebody who is signed in continues instead. */
  readonly access: 'signed-in' | 'signed-out' | 'anyone';
  /** The operation it calls first: a reader who may not call it is told so, and who may. */
  readonly operation: OperationId;
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
  /** What it says. */
  readonly words: readonly Words<unknown>[];
}

/** Every address of the console. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    access: 'signed-in',
    operation: 'getStart',
    load: () => import('./home/home.page.tsx'),
    words: [homeWords, organizationWords],
  },
  {
    path: '/leads/{-$id}',
    access: 'signed-in',
    operation: 'listLeads',
    load: () => import('./leads/leads.page.tsx'),
    words: [leadWords, actorWords],
  },
  {
    path: '/leads/board/{-$id}',
    access: 'signed-in',
    operation: 'listLeads',
    load: () => import('./leads/board.page.tsx'),
    words: [leadWords, actorWords],
  },
  {
    path: '/leads/import',
    access: 'signed-in',
    operation: 'importLeads',
    load: () => import('./imports/import.page.tsx'),
    words: [leadWords, importWords],
  },
  {
    path: '/customers/import',
    access: 'signed-in',
    operation: 'importCustomers',
    load: () => import('./imports/import.page.tsx'),
    words: [customerWords, importWords],
  },
  {
    path: '/sign-in',
    access: 'signed-out',
    operation: 'signInWithEmail',
    load: () => import('./sessions/sign-in.page.tsx'),
    words: [sessionWords],
  },
  {
    path: '/sign-in/return',
    access: 'anyone',
    operation: 'redeemTicket',
    load: () => import('./sessions/return.page.tsx'),
    words: [sessionWords, waysWords],
  },
  {
    path: '/sign-up',
    access: 'signed-out',
    operation: 'signUpWithEmail',
    load: () => import('./accounts/sign-up.page.tsx'),
    words: [accountWords],
  },
  accountPage('', 'Page', [accountWords]),
  accountPage('/security', 'SecurityPage', [accountWords, twoFactorWords, waysInWords]),
  accountPage('/activity', 'ActivityPage', [accountWords, activityWords]),
  accountPage('/danger', 'DangerPage', [accountWords]),
  {
    path: '/forgot-password',
    access: 'anyone',
    operation: 'requestPasswordReset',
    load: () => import('./accounts/forgot-password.page.tsx'),
    words: [recoveryWords],
  },
  {
    path: '/reset-password',
    access: 'anyone',
    operation: 'resetPassword',
    load: () => import('./accounts/reset-password.page.tsx'),
    words: [recoveryWords],
  },
  {
    path: '/verify-email',
    access: 'anyone',
    operation: 'verifyEmail',
    load: () => import('./accounts/verify-email.page.tsx'),
    words: [recoveryWords],
  },
  {
    path: '/accept-invitation',
    access: 'anyone',
    operation: 'getInvitation',
    load: () => import('./organizations/accept-invitation.page.tsx'),
    words: [invitationWords, organizationWords],
  },
  {
    path: '/organizations/new',
    access: 'signed-in',
    operation: 'createOrganization',
    load: () => import('./organizations/new-organization.page.tsx'),
    words: [organizationWords],
  },
  {
    path: '/people',
    access: 'signed-in',
    operation: 'listUsers',
    load: () => import('./people/people.page.tsx'),
    words: [peopleWords],
  },
  {
    path: '/customers',
    access: 'signed-in',
    operation: 'listCustomers',
    load: () => import('./customers/customers.page.tsx'),
    words: [customerWords],
  },
  {
    path: '/customers/$id',
    access: 'signed-in',
    operation: 'getCustomer',
    load: () => import('./customers/customer.page.tsx'),
    words: [customerWords],
  },
  {
    path: '/quotes',
    access: 'signed-in',
    operation: 'listQuotes',
    load: () => import('./quotes/quotes.page.tsx'),
    words: [quoteWords],
  },
  {
    path: '/quotes/new',
    access: 'signed-in',
    operation: 'createQuote',
    load: () => import('./quotes/new-quote.page.tsx'),
    words: [quoteWords],
  },
  {
    path: '/quotes/$id',
    access: 'signed-in',
    operation: 'getQuote',
    load: () => import('./quotes/quote.page.tsx'),
    words: [quoteWords, editorWords, sentWords],
  },
  organizationPage('', 'Page', 'getOrganization'),
  organizationPage('/quotes', 'QuotesPage', 'updateOrganization'),
  organizationPage('/leads', 'LeadsPage', 'getLeadSettings', [settingsWords, leadWords]),
  organizationPage('/security', 'SecurityPage', 'updateOrganization'),
  organizationPage('/data', 'DataPage', 'getOrganization'),
  organizationPage('/danger', 'DangerPage', 'deleteOrganization'),
  {
    path: '/organization/export',
    access: 'signed-in',
    operation: 'exportLeadsOfOrganization',
    load: () => import('./organizations/export.page.tsx'),
    words: [exportWords],
  },
  {
    path: '/organization/keys',
    access: 'signed-in',
    operation: 'listServiceAccounts',
    load: () => import('./access/service-accounts.page.tsx'),
    words: [serviceAccountWords],
  },
  {
    path: '/organization/access',
    access: 'signed-in',
    operation: 'listDomains',
    load: () => import('./access/domains.page.tsx'),
    words: [domainWords, connectionWords, directoryWords],
  },
  {
    path: '/activity',
    access: 'signed-in',
    operation: 'listOrganizationAuditEvents',
    load: () => import('./activity/activity.page.tsx'),
    words: [organizationActivityWords, actorWords],
  },
  // All components, for those who work on them: what is built for production has no such page.
  ...(import.meta.env.DEV
    ? ([
        {
          path: '/components',
          access: 'anyone',
          operation: 'getStart',
          load: () => import('./components/components.page.tsx'),
          words: [],
        },
      ] as const)
    : []),
];

/** A part of the account, which is below its address. */
function accountPage(
  below: string,
  name: keyof typeof import('./accounts/account.page.tsx'),
  words: PageEntry['words'],
): PageEntry {
  const load = async () => ({ Page: (await import('./accounts/account.page.tsx'))[name] });
  return { path: `/account${below}`, access: 'signed-in', operation: 'getProfile', load, words };
}

/** A part of the settings of an organization, which is below their address. */
function organizationPage(
  below: string,
  name: keyof typeof import('./organizations/organization.page.tsx'),
  operation: OperationId,
  words = [settingsWords] as PageEntry['words'],
): PageEntry {
  const load = async () => ({ Page: (await import('./organizations/organization.page.tsx'))[name] });
  return { path: `/organization${below}`, access: 'signed-in', operation, load, words };
}

/** The page at an address; one that names more of its parts goes before others. */
export function pageAt(address: string): PageEntry | undefined {
  const asked = partsOf(address);
  const found = pages.filter(({ path }) => leadsTo(partsOf(path), asked));
  return found.toSorted((one, other) => namesIn(other) - namesIn(one))[0];
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

const leadsTo = (path: readonly string[], asked: readonly string[]): boolean =>
  asked.length <= path.length &&
  path.every((part, n) =>
    n < asked.length ? part.includes('$') || part === asked[n] : part.startsWith('{-$'),
  );

const namesIn = ({ path }: PageEntry): number => partsOf(path).filter((part) => !part.includes('$')).length;
