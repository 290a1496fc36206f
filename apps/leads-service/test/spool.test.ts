import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressedShares } from '@tenantry/fair-shares';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Tenant } from '../src/database.ts';
import { LeadExports } from '../src/files/lead-export.ts';
import { Spool, SpoolEvicted } from '../src/files/spool.ts';
import { SpoolSpace } from '../src/files/spool-space.ts';
import type { Lead, SortedLeads } from '../src/leads/lead.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterAll(() => rm(directory, { recursive: true }));

const mebibyte = 1024 * 1024;
function spoolIn(space: SpoolSpace, organizationId: string = randomUUID()): Spool {
  const spool = new Spool({ space, directory, organizationId });
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

  it('has no name on the disk, and no room once it is closed', async () => {
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

  it('gives way where the disk is full: the largest of the sharer that holds the most, unless it is in use', async () => {
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
});

const lead = { id: randomUUID(), name: 'n'.repeat(1_000) } as unknown as Lead;

/** Leads without an end. */
async function* endless(left: { closed: boolean }): AsyncGenerator<Lead[]> {
  try {
    for (;;) yield await Promise.resolve(Array.from({ length: 100 }, () => lead));
  } finally {
    left.closed = true;
  }
}

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

  it('ends, as broken, once another organization waits', async () => {
    const { turns, left, file } = await begin();
    const turn = await turns.take({ organizationId: randomUUID(), address: '192.0.2.2' });
    expect(left.closed).toBe(true);
    turn.giveBack();
    await expect(file.toArray()).rejects.toThrow('too slow');
  });
});
