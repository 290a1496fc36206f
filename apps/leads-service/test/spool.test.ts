import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressedShares } from '@tenantry/fair-shares';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Tenant } from '../src/database.ts';
import { LeadExports } from '../src/files/lead-export.ts';
import { Spool, SpoolEvicted, SpoolSpace } from '@tenantry/service/files';
import type { Lead, SortedLeads } from '../src/leads/lead.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterAll(() => rm(directory, { recursive: true }));

const mebibyte = 1024 * 1024;
function spoolIn(
  space: SpoolSpace,
  organizationId: string = randomUUID(),
  address: string = '192.0.2.1',
): Spool {
  const spool = new Spool({ space, directory, address, organizationId });
  onTestFinished(() => spool.close());
  return spool;
}
const wide = () => new SpoolSpace({ bytesMax: 1_000 * mebibyte, bytesPerOrganizationMax: 1_000 * mebibyte });

async function textOf(spool: Spool): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of spool.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('a file on its way', () => {
  it('is read as it was written, before and behind the writer, across its parts', async () => {
    const space = wide();
    const spool = spoolIn(space);
    const read = textOf(spool);
    let whole = '';
    for (let n = 0; n < 10; n += 1) {
      const text = String(n).repeat(mebibyte + n);
      whole += text;
      expect(await spool.write(Buffer.from(text))).toBe(true);
      if (n % 3 === 0) await expect.poll(() => space.bytes).toBeLessThan(5 * mebibyte);
    }
    spool.end();
    expect((await read) === whole).toBe(true);
    expect(space.bytes).toBe(0);
  });

  it('has no name on the disk, and no room once it is closed [S-148]', async () => {
    const space = wide();
    const spool = spoolIn(space);
    await spool.write(Buffer.alloc(mebibyte));
    expect(await readdir(directory)).toEqual([]);
    expect(space.bytes).toBe(mebibyte);
    await spool.close();
    expect(space.bytes).toBe(0);
    await expect(spool.write(Buffer.alloc(1))).rejects.toThrow('closed');
    await expect(textOf(spool)).rejects.toThrow('closed');
  });

  it('may take so much and no more, for each organization', async () => {
    const space = new SpoolSpace({ bytesMax: 10, bytesPerOrganizationMax: 6 });
    const [ada, eve] = [randomUUID(), randomUUID()];
    const first = spoolIn(space, ada);
    const second = spoolIn(space, ada);
    expect(await first.write(Buffer.alloc(4))).toBe(true);
    expect(await second.write(Buffer.alloc(3))).toBe(false);
    expect(await second.write(Buffer.alloc(2))).toBe(true);
    expect(await spoolIn(space, eve).write(Buffer.alloc(4))).toBe(true);
  });

  it('gives way where the disk is full: the largest of the sharer that holds the most, unless it is in use [S-148]', async () => {
    const space = new SpoolSpace({ bytesMax: 10, bytesPerOrganizationMax: 9 });
    const [ada, eve] = [randomUUID(), randomUUID()];
    const inWork = spoolIn(space, eve);
    await inWork.write(Buffer.alloc(4));
    expect(inWork.protect()).toBe(true);
    const large = spoolIn(space, eve);
    await large.write(Buffer.alloc(3));
    const small = spoolIn(space, eve);
    await small.write(Buffer.alloc(2));
    const mine = spoolIn(space, ada);
    expect(await mine.write(Buffer.alloc(3))).toBe(true);
    await expect(large.write(Buffer.alloc(1))).rejects.toThrow(SpoolEvicted);
    expect(large.protect()).toBe(false);
    expect(await mine.write(Buffer.alloc(2))).toBe(true);
    await expect(textOf(small)).rejects.toThrow(SpoolEvicted);
    expect(await mine.write(Buffer.alloc(2))).toBe(false);
    expect(await inWork.write(Buffer.alloc(1))).toBe(true);
  });

  it('gives way to that of another address, however many organizations share its own', async () => {
    const space = new SpoolSpace({ bytesMax: 100, bytesPerOrganizationMax: 50 });
    const flood = Array.from({ length: 25 }, () => spoolIn(space));
    for (const each of flood) expect(await each.write(Buffer.alloc(4))).toBe(true);
    const mine = spoolIn(space, randomUUID(), '192.0.2.2');
    expect(await mine.write(Buffer.alloc(40))).toBe(true);
    expect(await mine.write(Buffer.alloc(10))).toBe(true);
    // One of the flood gets no more than the others there have.
    const next = spoolIn(space);
    expect(await next.write(Buffer.alloc(3))).toBe(true);
    expect(await next.write(Buffer.alloc(4))).toBe(false);
  });

  it('frees what has been read while it is written, however little room there is', async () => {
    const space = new SpoolSpace({ bytesMax: 100, bytesPerOrganizationMax: 100 });
    const spool = spoolIn(space);
    const read = textOf(spool);
    for (let n = 0; n < 50; n += 1) {
      while (!(await spool.write(Buffer.from(String(n % 10).repeat(40))))) await spool.room();
    }
    spool.end();
    expect(await read).toHaveLength(2_000);
    expect(space.bytes).toBe(0);
  });

  it('is handed over from memory where there is no room at all, in order', async () => {
    const space = new SpoolSpace({ bytesMax: 10, bytesPerOrganizationMax: 10 });
    const spool = spoolIn(space);
    expect(await spool.write(Buffer.from('0123456789'))).toBe(true);
    expect(spool.hand(Buffer.from('a'))).toBe(false);
    const read = spool.read();
    expect(String((await read.next()).value)).toBe('0123456789');
    expect(spool.hand(Buffer.from('abc'))).toBe(true);
    expect(spool.hand(Buffer.from('d'))).toBe(false);
    expect(await spool.write(Buffer.from('def'))).toBe(true);
    spool.end();
    expect(String((await read.next()).value)).toBe('abc');
    expect(String((await read.next()).value)).toBe('def');
    expect((await read.next()).done).toBe(true);
  });
});

const lead = {
  id: randomUUID(),
  name: 'n'.repeat(1_000),
  email: 'n@example.com',
} as unknown as Lead;

/** Leads without an end. */
async function* endless(left: { closed: boolean }): AsyncGenerator<Lead[]> {
  try {
    for (;;) yield await Promise.resolve(Array.from({ length: 100 }, () => lead));
  } finally {
    left.closed = true;
  }
}

/** So many batches of some 100 KB. */
async function* batches(count: number): AsyncGenerator<Lead[]> {
  for (let n = 0; n < count; n += 1) yield await Promise.resolve(Array.from({ length: 100 }, () => lead));
}

describe('exports with less room than they have data', () => {
  const turns = new AddressedShares({ name: 'files', runningMax: 9, waitingMax: 1 });
  const beginIn = (space: SpoolSpace, organizationId: string) => {
    const leadExports = new LeadExports({ leads: { read: () => batches(30) }, turns, space, directory });
    const tenant = { scope: { organizationId } } as Tenant;
    const { signal } = new AbortController();
    return leadExports.begin(tenant, {} as SortedLeads, { organizationId, address: '192.0.2.1', signal });
  };
  const linesOf = async (file: Awaited<ReturnType<typeof beginIn>>): Promise<number> =>
    Buffer.concat((await file.toArray()) as Buffer[])
      .toString()
      .split('\r\n').length;

  it.each([
    ['some', 200_000],
    ['none', 0],
  ])('wait neither for themselves nor for each other: %s is left', async (_left, bytes) => {
    const space = new SpoolSpace({ bytesMax: mebibyte + bytes, bytesPerOrganizationMax: mebibyte + bytes });
    const inWork = spoolIn(space);
    expect(await inWork.write(Buffer.alloc(mebibyte))).toBe(true);
    inWork.protect();
    const [ada, eve] = [randomUUID(), randomUUID()];
    const files = await Promise.all([ada, ada, eve].map((each) => beginIn(space, each)));
    for (const lines of await Promise.all(files.map(linesOf))) expect(lines).toBe(3_002);
    expect(space.bytes).toBe(mebibyte);
  });
});

describe('an export whose client does not keep up', () => {
  async function begin() {
    const turns = new AddressedShares({ name: 'files', runningMax: 1, waitingMax: 1 });
    const left = { closed: false };
    const space = new SpoolSpace({ bytesMax: mebibyte, bytesPerOrganizationMax: mebibyte });
    const leads = { read: () => endless(left) };
    const leadExports = new LeadExports({ leads, turns, space, directory, patienceMs: 50 });
    const organizationId = randomUUID();
    const tenant = { scope: { organizationId } } as Tenant;
    const leaving = new AbortController();
    const turning = { organizationId, address: '192.0.2.1', signal: leaving.signal };
    const file = await leadExports.begin(tenant, {} as SortedLeads, turning);
    return { turns, left, space, file, leaving };
  }

  it('continues as long as no other waits for its turn', async () => {
    const { turns, left, space, leaving } = await begin();
    await expect.poll(() => space.bytes).toBeGreaterThan(mebibyte * 0.8);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect([left.closed, turns.shares[0].counts.running]).toEqual([false, 1]);
    leaving.abort();
    await expect.poll(() => [left.closed, turns.shares[0].counts.running, space.bytes]).toEqual([true, 0, 0]);
  });

  it('ends, as broken, once another organization waits [S-148]', async () => {
    const { turns, left, file } = await begin();
    const turn = await turns.take({ organizationId: randomUUID(), address: '192.0.2.2' });
    expect(left.closed).toBe(true);
    turn.giveBack();
    await expect(file.toArray()).rejects.toThrow('too slow');
  });
});
