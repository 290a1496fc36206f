import { randomUUID } from 'node:crypto';
import { createTenantry, tokensInMemory, type Tenantry, type TokenStore } from '@tenantry/client';
import { canary, patience } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startServicesAfter, type StartedServices } from './matrix/services.ts';

// The client as a program uses it, with the real services behind the gateway; in a page the console shows it.

const password = `${canary} ${randomUUID()}`;
const email = `${randomUUID()}@example.com`;

let services: StartedServices;
let tokens: TokenStore;
let baseUrl: string;

beforeAll(async () => {
  // Signed up an hour ago, so that the access token has expired.
  const started = await startServicesAfter(async (past) => {
    baseUrl = past.urlOf('gateway');
    tokens = tokensInMemory();
    const body = { email, password, name: 'Ada Lovelace' };
    await createTenantry({ baseUrl, tokens }).signUpWithEmail({ body });
  });
  services = started;
});
afterAll(() => services.stop());

/** A program of the same user, that meets its organization first. */
async function client(options: object = {}): Promise<Tenantry> {
  const tenantry = createTenantry({ baseUrl, tokens, ...options });
  await tenantry.listLeads();
  await tenantry.getStart();
  return tenantry;
}

const newLead = () => ({ name: 'Åke Åkesson', email: `${randomUUID()}@example.com` });

describe('the client with the real services', () => {
  it('continues a session whose access token has expired, for many concurrent calls', async () => {
    const before = await tokens.read();
    const tenantry = createTenantry({ baseUrl, tokens });
    const pages = await Promise.all(Array.from({ length: 10 }, () => tenantry.listLeads()));
    expect(pages.map(({ data }) => data.total)).toEqual(Array.from({ length: 10 }, () => 0));
    const after = await tokens.read();
    expect(after?.refreshToken).not.toBe(before?.refreshToken);
  });

  it('writes, reads back by entity tag, and is refused where somebody was faster', async () => {
    const tenantry = await client();
    const { data: created } = await tenantry.createLead({ body: newLead() });
    const path = { id: created.id };
    const { etag } = await tenantry.getLead({ path });
    const { data } = await tenantry.patchLead({ path, body: { status: 'contacted' }, ifMatch: etag });
    expect(data.status).toBe('contacted');
    const late = tenantry.patchLead({ path, body: { status: 'qualified' }, ifMatch: etag });
    await expect(late).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
  });

  it('accepts a quote, and its lead is won once the services have told each other [S-351]', async () => {
    const tenantry = await client();
    const { data: lead } = await tenantry.createLead({ body: newLead() });
    const path = { id: lead.id };
    for (const status of ['contacted', 'qualified'] as const)
      await tenantry.patchLead({ path, body: { status } });
    const validUntil = new Date(Date.now() + 86_400_000).toISOString();
    const body = { customerId: lead.id, title: 'New roof', validUntil };
    const { data: quote } = await tenantry.createQuote({ body });
    const { data: part } = await tenantry.addWorkPackage({
      path: { quoteId: quote.id },
      body: { name: 'Roof' },
    });
    const line = { description: 'Felt', quantity: 1, unit: 'sqm', unitPrice: 10 };
    await tenantry.addLineItem({ path: { quoteId: quote.id, workPackageId: part.id }, body: line });
    await tenantry.sendQuote({ path: { id: quote.id }, body: { recipientEmail: 'karin@example.com' } });
    await tenantry.acceptQuote({ path: { id: quote.id } });
    const won = async () => (await tenantry.getLead({ path })).data.status;
    await vi.waitFor(async () => expect(await won()).toBe('won'), patience());
    const { data: history } = await tenantry.listLeadHistory({ path });
    expect(history.rows[0]).toMatchObject({ from: 'qualified', to: 'won', quote, actor: { kind: 'job' } });
  });

  it('walks through a list, and imports and exports files', async () => {
    const tenantry = await client();
    const rows = Array.from({ length: 25 }, (_, index) => `Lead ${index},${randomUUID()}@example.com`);
    const file = new Blob([['name,email', ...rows].join('\n')], { type: 'text/csv' });
    const { data: report } = await tenantry.importLeads({ query: { mode: 'all' }, body: file });
    expect(report.imported).toBe(25);
    const names = new Set<string>();
    for await (const { name } of tenantry.listLeads({ query: { search: 'lead' } })) names.add(name);
    expect(names.size).toBe(25);
    const { data: exported } = await tenantry.exportLeads({ query: { search: 'lead' } });
    expect((await exported.text()).trim().split('\n')).toHaveLength(26);
  });

  it('names each field that is not valid, and the rule that it breaks', async () => {
    const tenantry = await client();
    const call = tenantry.createLead({ body: { name: '', email: 'nobody' } });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [
        { field: 'name', rule: 'minLength' },
        { field: 'email', rule: 'format' },
      ],
    });
  });

  it('does nothing in another organization than the one that it means', async () => {
    const onOrganizationChanged = vi.fn();
    const [tenantry, other] = [await client({ onOrganizationChanged }), await client()];
    const slug = `looms-${randomUUID().slice(0, 8)}`;
    const { data } = await other.createOrganization({ body: { name: 'Looms', slug } });
    await other.switchOrganization({ body: { organizationId: data.organization.id } });
    const call = tenantry.createLead({ body: newLead() });
    await expect(call).rejects.toMatchObject({ code: 'ORGANIZATION_CHANGED', status: 409 });
    expect(onOrganizationChanged).toHaveBeenCalledTimes(1);
    expect((await other.listLeads()).data.total).toBe(0);
  });

  it('asks for the password where the sign-in is too long ago, and again while it is wrong', async () => {
    const answers = ['wrong', password];
    const onStepUp = vi.fn(async () => ({ password: answers.shift() ?? '' }));
    const tenantry = await client({ onStepUp });
    const { data } = await tenantry.endSessions({ query: { scope: 'others' } });
    expect(data.revoked).toBe(0);
    expect(onStepUp).toHaveBeenCalledTimes(2);
  });

  it('says that a session is over, once', async () => {
    const onSignedOut = vi.fn();
    const tenantry = await client({ onSignedOut });
    const { data } = await tenantry.listSessions();
    const other = createTenantry({ baseUrl, tokens: tokensInMemory() });
    await other.signInWithEmail({ body: { email, password } });
    for (const { id } of data.sessions) await other.endSession({ path: { id } });
    await expect(tenantry.getProfile()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(tenantry.getProfile()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(onSignedOut).toHaveBeenCalledTimes(1);
    expect(await tokens.read()).toBeNull();
  });
});
