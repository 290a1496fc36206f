import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openTestFeed,
  startTestService,
  type Answer as AnyAnswer,
  type AnswerBody,
  type Caller as AnyCaller,
  type TestService as AnyTestService,
  type TestFeed,
  type TestServiceOptions,
} from '@tenantry/service-tests';
import { onceAvailable } from '@tenantry/test-kit';
import { expect } from 'vitest';
import type { WholeQuote, WorkPackage } from '../../src/quotes/quote.ts';
import { service } from '../../src/service.ts';

export { answered, invalid, notFound, refusal } from '@tenantry/service-tests';

/** A quote in an answer. */
export type AnsweredQuote = Omit<WholeQuote, 'version' | 'seller' | 'sentBy'> & {
  readonly allowedTransitions: readonly string[];
  readonly decision: { readonly decision: string; readonly userId: string | null } | null;
  readonly contractedAt: string | null;
};

/** What any answer of the service may hold. */
export interface Body extends AnswerBody<
  AnsweredQuote & { readonly totalPrice: number } & readonly AnsweredQuote[]
> {
  readonly meta: AnswerBody<unknown>['meta'] & { readonly warnings?: readonly { readonly code: string }[] };
}

export type Answer = AnyAnswer<Body>;
export type Caller = AnyCaller<Body>;
export type TestService = AnyTestService<Body> & { readonly feed: TestFeed };

export const quotesUrl = '/api/quotation/quotes';
export const customersUrl = '/api/quotation/customers';

/** Where nothing listens: leads-service, unless a test starts one. */
const nowhere = 'http://127.0.0.1:9';

/** How a service is started: events of members and organizations come from this feed, or one of its own. */
export interface StartOptions extends TestServiceOptions {
  readonly feed?: TestFeed;
}

/** Starts the service on a database of its own. */
export async function startService({ env, feed, ...options }: StartOptions = {}): Promise<TestService> {
  const events = feed ?? (await openTestFeed());
  // Where mail goes that no test reads.
  const mailDirectory = await mkdtemp(join(tmpdir(), 'tenantry-mail-'));
  const started = await startTestService(service, {
    ...options,
    env: { LEADS_URL: nowhere, MAIL_DIRECTORY: mailDirectory, ...events.env, ...env },
  });
  // Requests go to instances that have read what there was. Benches start the service as well, where no test is.
  while ((await started.app.inject('/api/health/ready')).statusCode !== 200) await sleep(20);
  return {
    ...(started as AnyTestService<Body>),
    feed: events,
    /** Tells of the member, and of the organization where the test has not, as auth-service would have. */
    async member(claims = {}) {
      const sub = (claims['sub'] as string | undefined) ?? randomUUID();
      const member = (await started.member({ ...claims, sub })) as Caller;
      const { organizationId } = member;
      const isTold = (type: RegExp, id?: string) =>
        events.told.some(
          (event) =>
            type.test(event.type) &&
            event.organizationId === organizationId &&
            (id === undefined || event['userId'] === id),
        );
      if (!isTold(/^organization/)) events.tell(organizationOf(organizationId));
      if (!isTold(/^(member|user)/, sub)) events.tell(memberOf(organizationId, sub));
      return member;
    },
    async close() {
      await started.close();
      if (!feed) await events.close();
      await rm(mailDirectory, { recursive: true, force: true });
    },
  };
}

/** An organization as in auth-service's events. */
export const organizationOf = (organizationId: string, settings: object = {}) => ({
  type: 'organization.created',
  ...{ organizationId, name: 'Tak AB', slug: 'tak', createdAt: new Date().toISOString() },
  settings: {
    ...{ defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
    ...{ timeZone: 'UTC', address: null, vatNumber: null },
    ...settings,
  },
  logo: null,
});

/** A member as in auth-service's events. */
export const memberOf = (organizationId: string, userId: string, member: object = {}) => ({
  type: 'member.added',
  ...{ organizationId, userId, email: `${userId}@tak.example`, emailVerified: true },
  ...{ name: 'Sven', familyName: null, role: 'owner', createdAt: new Date().toISOString() },
  ...member,
});

/** Sends a POST that must succeed, and gives what it answers. */
export async function post<Data = Body['data']>(caller: Caller, url: string, body: object): Promise<Data> {
  const answer: AnyAnswer<AnswerBody<unknown>> = await onceAvailable(() =>
    caller.send('POST', url, { body }),
  );
  if (answer.status > 299) throw new Error(`${url} was refused: ${answer.text}`);
  return answer.body.data as Data;
}

/** Creates a quote and gives its id. */
export async function createQuote(
  caller: Caller,
  quote: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await post(caller, quotesUrl, { customerId: randomUUID(), title: 'New roof', ...quote })).id;
}

/** Adds a work package to a quote and gives its id. */
export async function addPackage(
  caller: Caller,
  quoteId: string,
  workPackage: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await post(caller, `${quotesUrl}/${quoteId}/work-packages`, { name: 'Roof', ...workPackage })).id;
}

/** Where a package is. */
export interface PackagePlace {
  readonly quoteId: string;
  readonly packageId: string;
}

/** The path of a package's lines. */
export const itemsUrl = ({ quoteId, packageId }: PackagePlace): string =>
  `${quotesUrl}/${quoteId}/work-packages/${packageId}/items`;

/** Adds a line to a package. */
export function addLine(
  caller: Caller,
  place: PackagePlace,
  line: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; totalPrice: number }> {
  const content = { description: 'Roofing felt', quantity: 1, unit: 'sqm', unitPrice: 10 };
  return post(caller, itemsUrl(place), { ...content, ...line });
}

/** Creates a quote with packages of lines, each line as quantity and unit price. */
export async function quoteOf(
  caller: Caller,
  packages: readonly (readonly (readonly [quantity: number, unitPrice: number])[])[],
  quote: Readonly<Record<string, unknown>> = {},
): Promise<AnsweredQuote> {
  const quoteId = await createQuote(caller, quote);
  for (const lines of packages) {
    const packageId = await addPackage(caller, quoteId);
    for (const [quantity, unitPrice] of lines) {
      await addLine(caller, { quoteId, packageId }, { quantity, unitPrice });
    }
  }
  return readQuote(caller, quoteId);
}

/** Reads a quote that must be there. */
export async function readQuote(caller: Caller, id: string): Promise<AnsweredQuote> {
  const answer = await caller.send('GET', `${quotesUrl}/${id}`);
  if (answer.status !== 200) throw new Error(`not read: ${answer.text}`);
  return answer.body.data;
}

/** Sends a quote to its customer. */
export async function sendQuote(caller: Caller, id: string): Promise<void> {
  await post(caller, `${quotesUrl}/${id}/send`, { recipientEmail: 'karin@astrom.example' });
}

/** The lines of the first package. */
export const firstPackage = ({ workPackages }: AnsweredQuote): WorkPackage => workPackages[0] as WorkPackage;

/** Stands for any value that fits, inside an expected answer. */
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const uuid = matching(/^[0-9a-f-]{36}$/);
