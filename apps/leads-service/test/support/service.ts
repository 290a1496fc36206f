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
import { expect } from 'vitest';
import type { Lead, LeadListItem } from '../../src/leads/lead.ts';
import { service } from '../../src/service.ts';

export { answered, invalid, notFound, refusal } from '@tenantry/service-tests';

/** A lead in an answer. */
export type AnsweredLead = LeadListItem & Pick<Lead, 'notes' | 'updatedAt'>;

/** What any answer of the service may hold. */
export interface Body extends AnswerBody<AnsweredLead & readonly AnsweredLead[]> {
  readonly meta: AnswerBody<unknown>['meta'] & { readonly duplicateOf?: string };
}

export type Answer = AnyAnswer<Body>;
export type Caller = AnyCaller<Body>;
export type TestService = AnyTestService<Body> & { readonly feed: TestFeed };

/** Starts the service on a database of its own. */
export async function startService({ env, ...options }: TestServiceOptions = {}): Promise<TestService> {
  const feed = await openTestFeed();
  const started = await startTestService(service, { ...options, env: { ...feed.env, ...env } });
  return {
    ...(started as AnyTestService<Body>),
    feed,
    async close() {
      await started.close();
      await feed.close();
    },
  };
}

/** Creates a lead and gives its id. */
export async function createLead(
  caller: Caller,
  lead: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await caller.send('POST', '/api/leads', {
    body: { name: 'Ada', email: 'ada@example.com', ...lead },
  });
  if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
  return answer.body.data.id;
}

/** Moves a lead through several statuses. */
export async function moveLead(caller: Caller, id: string, ...statuses: readonly string[]): Promise<void> {
  for (const status of statuses) {
    const answer = await caller.send('PUT', `/api/leads/${id}`, { body: { status } });
    if (answer.status !== 200) throw new Error(`not moved: ${answer.text}`);
  }
}

/** Stands for any value that fits, inside an expected answer. */
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
