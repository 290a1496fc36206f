import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLead,
  moveLead,
  notFound,
  refusal,
  startService,
  type Caller,
  type TestService,
} from './support/service.ts';

let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService();
  member = await service.member();
});
afterAll(() => service.close());

const restore = (id: string, headers: Record<string, string> = {}, caller = member) =>
  caller.send('POST', `/api/leads/${id}/restore`, { headers });
const remove = (id: string) => member.send('DELETE', `/api/leads/${id}`);
const get = (id: string) => member.send('GET', `/api/leads/${id}`);

describe('POST /api/leads/{id}/restore', () => {
  it('brings a deleted lead back as it was, in every list and count', async () => {
    const caller = await service.member();
    const id = await createLead(caller, {
      name: 'Ada',
      email: 'restored@example.com',
      notes: 'n',
      phone: '1',
    });
    await moveLead(caller, id, 'contacted');
    const before = (await caller.send('GET', `/api/leads/${id}`)).body.data;
    await caller.send('DELETE', `/api/leads/${id}`);
    const answer = await restore(id, {}, caller);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ id, name: 'Ada', email: 'restored@example.com', status: 'contacted' });
    expect(answer.headers['etag']).toBe('"4"');
    const { data, meta } = (await caller.send('GET', '/api/leads?status=contacted')).body;
    expect([data.map((lead) => lead.id), meta.total]).toEqual([[id], 1]);
    const after = (await caller.send('GET', `/api/leads/${id}`)).body.data;
    expect(after).toEqual({ ...(before as object), updatedAt: after.updatedAt });
  });

  it('leaves a lead that is not deleted as it is, however often it is asked', async () => {
    const id = await createLead(member);
    await remove(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => restore(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await get(id)).headers['etag']).toBe('"3"');
    const admin = await service.member({ organizationId: member.organizationId, role: 'admin' });
    const audit = await admin.send('GET', `/api/leads/audit?action=lead.restored&targetId=${id}`);
    expect(audit.body.meta.total).toBe(1);
  });

  it('names a live lead that has the same e-mail address by now', async () => {
    const email = `${randomUUID()}@example.com`;
    const id = await createLead(member, { email });
    await remove(id);
    expect((await restore(id)).body.meta.duplicateOf).toBeUndefined();
    await remove(id);
    const other = await createLead(member, { email: email.toUpperCase() });
    expect((await restore(id)).body.meta.duplicateOf).toBe(other);
  });

  it('is made on the version that If-Match names, or not at all', async () => {
    const id = await createLead(member);
    await remove(id);
    expect(refusal(await restore(id, { 'if-match': '"1"' }))).toMatchObject({ status: 412 });
    expect(refusal(await get(id))).toEqual(notFound);
    expect((await restore(id, { 'if-match': '"2"' })).status).toBe(200);
  });

  it('of another organization’s lead, and of none, is 404', async () => {
    const foreign = await createLead(member);
    await remove(foreign);
    const stranger = await service.member();
    for (const id of [foreign, randomUUID()])
      expect(refusal(await restore(id, {}, stranger))).toEqual(notFound);
  });
});

describe('a duplicate', () => {
  it('is named when a change of the e-mail address makes one, and by no other change', async () => {
    const email = `${randomUUID()}@example.com`;
    const first = await createLead(member, { email });
    const id = await createLead(member);
    const change = async (body: object) => (await member.send('PUT', `/api/leads/${id}`, { body })).body.meta;
    expect((await change({ email })).duplicateOf).toBe(first);
    expect((await change({ name: 'Grace' })).duplicateOf).toBeUndefined();
    expect((await change({ email: `other-${email}` })).duplicateOf).toBeUndefined();
  });
});
