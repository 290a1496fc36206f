import { randomUUID } from 'node:crypto';
import { openTestFeed, type TestFeed } from '@tenantry/service-tests';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createQuote,
  memberOf,
  organizationOf,
  quotesUrl,
  refusal,
  startService,
  type Caller,
} from './support/service.ts';

const required = 'SENDING_REQUIRES_CONFIRMED_EMAIL';
/** Nothing listens there: letters wait. */
const smtp = { SMTP_URL: 'smtp://127.0.0.1:9' };

let feed: TestFeed;

beforeAll(async () => {
  feed = await openTestFeed();
});
afterAll(() => feed.close());

/** A member who has not confirmed their address, of a service with these settings. */
async function unconfirmedMember(env: Readonly<Record<string, string>>): Promise<Caller> {
  const service = await startService({ feed, env });
  onTestFinished(() => service.close());
  const [organizationId, sub] = [randomUUID(), randomUUID()];
  feed.tell(organizationOf(organizationId), memberOf(organizationId, sub, { emailVerified: false }));
  return service.member({ organizationId, sub });
}

const body = { recipientEmail: 'karin@astrom.example', message: 'As discussed.' };

describe('a member without a confirmed address', () => {
  it.each([
    ['where mail is written to files', {}],
    ['where the operator allows it', { ...smtp, [required]: 'false' }],
  ])('sends, sends again and sends a revision %s', async (_, env) => {
    const caller = await unconfirmedMember(env);
    const id = await createQuote(caller);
    expect((await caller.send('POST', `${quotesUrl}/${id}/send`, { body })).status).toBe(200);
    expect((await caller.send('POST', `${quotesUrl}/${id}/resend`, { body })).status).toBe(201);
    const revision = await caller.send('POST', `${quotesUrl}/${id}/revise`, { body: {} });
    const sent = await caller.send('POST', `${quotesUrl}/${revision.body.data.id}/send`, { body });
    expect(sent.status).toBe(200);
  });

  it.each([
    ['where mail leaves', smtp],
    ['where the operator requires it of files too', { [required]: 'true' }],
  ])('is refused %s [S-169]', async (_, env) => {
    const caller = await unconfirmedMember(env);
    const id = await createQuote(caller);
    const refused = await caller.send('POST', `${quotesUrl}/${id}/send`, { body });
    expect(refusal(refused)).toMatchObject({ status: 403, code: 'EMAIL_NOT_VERIFIED' });
  });
});
