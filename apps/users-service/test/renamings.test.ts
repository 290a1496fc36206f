import { describe, expect, it } from 'vitest';
import { Renamings, type Renaming } from '../src/users/renamings.ts';

const honest: Renaming = { id: 'ada', organizationId: 'honest', address: '192.0.2.1' };

/** Changes that have begun, and what ends all of them. */
function begun() {
  const renamings = new Renamings();
  const started: string[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const rename = (renaming: Renaming) =>
    renamings.run(renaming, () => {
      started.push(renaming.organizationId + renaming.id);
      return ended;
    });
  return { started, rename, end };
}

describe('changes of names', () => {
  it.each<[string, (n: number) => Renaming]>([
    ['one organization', (n) => ({ id: `u${n}`, organizationId: 'free', address: `198.51.100.${n % 250}` })],
    ['one address', (n) => ({ id: `u${n}`, organizationId: `o${n}`, address: '198.51.100.1' })],
    ['some addresses', (n) => ({ id: `u${n}`, organizationId: `o${n}`, address: `198.51.100.${n % 8}` })],
  ])('of another organization begin at once under a flood of %s', async (_who, flooding) => {
    const { started, rename, end } = begun();
    const flood = Array.from({ length: 2_000 }, (_, n) => rename(flooding(n)).catch(() => 'refused'));
    const others = rename(honest);
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toContain('honestada');
    end();
    await others;
    expect(await Promise.all(flood)).toContain('refused');
  });

  it('of one user come one after the other, in whichever organization', async () => {
    const { started, rename, end } = begun();
    const all = [rename(honest), rename(honest), rename({ ...honest, organizationId: 'second' })];
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toEqual(['honestada']);
    end();
    await Promise.all(all);
    expect(started).toHaveLength(3);
  });
});
