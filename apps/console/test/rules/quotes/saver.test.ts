import { TenantryError } from '@tenantry/client';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionsOf } from '../../../src/quotes/editor/decisions.ts';
import { blankLine, isBlank, type Draft, type DraftLine } from '../../../src/quotes/editor/draft.ts';
import {
  addPackage,
  insertLines,
  moveLine,
  putLine,
  putPackage,
  removeLine,
  removePackage,
  typeLine,
} from '../../../src/quotes/editor/edits.ts';
import { Saver } from '../../../src/quotes/editor/saver.ts';
import { draftWith } from './drafts.ts';
import { ModelApi, type Fate } from './model-api.ts';

/** Something that somebody does to a quote. */
const action = fc.record({
  kind: fc.constantFrom('add', 'change', 'delete', 'move', 'save'),
  at: fc.nat(20),
  to: fc.nat(20),
});
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

const started = () => {
  const line = (nth: number): DraftLine => ({
    ...{ ...blankLine('pcs'), id: `line-${nth}`, key: `line-${nth}` },
    ...{ description: `Line ${nth}`, quantity: '1', unitPrice: '10' },
  });
  const draft = draftWith([[line(1), line(2), line(3)]]);
  return { ...draft, packages: draft.packages.map((one) => ({ ...one, id: 'roof' })) };
};

/** Somebody who types into a quote; every line they add has a name of its own. */
class Writer {
  readonly saver: Saver;
  readonly added: string[] = [];
  readonly deleted = new Set<string>();
  readonly #name: string;

  constructor(api: ModelApi, name: string, fates: Fate[] = []) {
    this.#name = name;
    let keys = 0;
    this.saver = new Saver({
      ...{ quote: api.read, language: 'en', later: () => () => undefined },
      calls: api.callsOf(
        () => fates.pop() ?? 'done',
        () => this.saver,
      ),
      newIdempotencyKey: () => `${name}-${(keys += 1)}`,
    });
  }

  async do({ kind, at, to }: Action): Promise<void> {
    const [roof] = this.saver.getState().draft.packages;
    if (!roof) return;
    const typed = roof.lines.filter((line) => !isBlank(line));
    const line = typed[at % Math.max(1, typed.length)];
    const place = (lineKey = '') => ({ packageKey: roof.key, lineKey });
    if (kind === 'save') await this.saver.flush();
    else if (kind === 'add') {
      const description = `${this.#name}'s line ${this.added.push('') + 1}`;
      this.added[this.added.length - 1] = description;
      const added = { ...blankLine('pcs'), description, quantity: '2', unitPrice: '3' };
      this.saver.edit(insertLines(place(line?.key ?? roof.lines[0]?.key), [added]));
    } else if (!line) return;
    else if (kind === 'delete') {
      this.deleted.add(line.description);
      this.saver.edit(removeLine(place(line.key)));
    } else if (kind === 'move') this.saver.edit(moveLine(place(line.key), to % typed.length));
    else this.saver.edit(typeLine(place(line.key), { quantity: `${at + 1}` }));
  }

  /** Saves all there is, and decides what has to be decided. */
  async settle(): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      await this.saver.flush();
      const { conflicts, failure } = this.saver.getState();
      for (const conflict of conflicts) this.saver.decide(conflict, decisionsOf(conflict).takeTheirs);
      if (conflicts.length === 0 && failure === undefined && this.saver.next() === undefined) return;
    }
    throw new Error('What was typed does not come to rest.');
  }
}

const contentOf = ({ packages }: Draft): unknown =>
  packages.map(({ lines }) =>
    lines
      .filter((line) => !isBlank(line))
      .map(({ id, description, quantity, unitPrice }) => ({ id, description, quantity, unitPrice })),
  );

const namesIn = ({ packages }: Draft): string[] =>
  packages.flatMap(({ lines }) =>
    lines.filter((line) => !isBlank(line)).map(({ description }) => description),
  );

const fates = fc.array(fc.constantFrom<Fate>('done', 'lost', 'answer-lost'), { maxLength: 12 });

describe('a quote that is saved as it is typed', () => {
  test('ends as it was typed, whatever requests and answers are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 15 }), fates, async (actions, lost) => {
        const api = new ModelApi(started());
        const ada = new Writer(api, 'Ada', [...lost]);
        for (const one of actions) await ada.do(one);
        const typed = namesIn(ada.saver.getState().draft);
        await ada.settle();
        expect(contentOf(api.quote)).toEqual(contentOf(ada.saver.getState().draft));
        expect(namesIn(api.quote)).toEqual(typed);
        expect(ada.saver.getState().conflicts).toEqual([]);
      }),
    );
  });

  test('is the same for two who write concurrently: nothing is there twice, and nothing is overwritten unseen', async () => {
    const turn = fc.tuple(fc.constantFrom('Ada', 'Bo'), action);
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 24 }), fates, async (turns, lost) => {
        const api = new ModelApi(started());
        const writers = { Ada: new Writer(api, 'Ada', [...lost]), Bo: new Writer(api, 'Bo') };
        for (const [name, one] of turns) await writers[name].do(one);
        await writers.Ada.settle();
        await writers.Bo.settle();
        const names = namesIn(api.quote);
        expect(new Set(names).size).toBe(names.length);
        const deleted = new Set([...writers.Ada.deleted, ...writers.Bo.deleted]);
        const all = ['Line 1', 'Line 2', 'Line 3', ...writers.Ada.added, ...writers.Bo.added];
        expect(all.filter((one) => !deleted.has(one) && !names.includes(one))).toEqual([]);
      }),
    );
  });

  test('shows both values of a field that two changed, and sends neither until one is chosen', async () => {
    const api = new ModelApi(started());
    const [ada, bo] = [new Writer(api, 'Ada'), new Writer(api, 'Bo')];
    await ada.do({ kind: 'change', at: 0, to: 0 });
    bo.saver.edit(typeLine({ packageKey: 'roof', lineKey: 'line-1' }, { quantity: '7' }));
    await bo.saver.flush();
    ada.saver.edit(typeLine({ packageKey: 'roof', lineKey: 'line-1' }, { quantity: '9' }));
    await ada.saver.flush();
    const [conflict] = ada.saver.getState().conflicts;
    expect(conflict).toMatchObject({ at: 'line-1', field: 'quantity', mine: '9', theirs: '7' });
    expect(api.quote.packages[0]?.lines[0]?.quantity).toBe('7');
    if (conflict) ada.saver.decide(conflict, decisionsOf(conflict).keepMine);
    await ada.saver.flush();
    expect(api.quote.packages[0]?.lines[0]?.quantity).toBe('9');
  });

  test('names a new customer in the request that chooses them, however often it is lost', async () => {
    for (const fate of ['lost', 'answer-lost'] as const) {
      const api = new ModelApi(started());
      const ada = new Writer(api, 'Ada', [fate]);
      const customer = { id: 'customer-1', name: 'Acme AB', email: '', isNew: true };
      ada.saver.edit((draft) => ({ ...draft, customer }));
      expect(ada.saver.next()).toMatchObject({
        body: { customerId: 'customer-1', customerName: 'Acme AB' },
      });
      await ada.settle();
      expect(api.quote.customer).toMatchObject({ id: 'customer-1', name: 'Acme AB' });
      expect(ada.saver.getState().draft.customer.name).toBe('Acme AB');
    }
  });

  test('sends nothing without the tag of what it changes, and a finished change not again', async () => {
    const api = new ModelApi(started());
    const calls = api.callsOf(
      () => 'done',
      () => undefined,
    );
    const tags: (string | undefined)[] = [];
    let isAway = false;
    const saver = new Saver({
      quote: api.read,
      language: 'en',
      later: () => () => undefined,
      newIdempotencyKey: () => 'a-key',
      calls: {
        async read() {
          if (isAway) throw new TenantryError('getQuote', { code: 'OFFLINE' });
          return calls.read();
        },
        async send(step, how) {
          tags.push(how.ifMatch);
          await calls.send(step, how);
          isAway = true;
          return { etag: undefined };
        },
      },
    });
    saver.edit(typeLine({ packageKey: 'roof', lineKey: 'line-1' }, { quantity: '9' }));
    await saver.flush();
    expect(saver.getState().failure).toBeDefined();
    isAway = false;
    saver.edit(typeLine({ packageKey: 'roof', lineKey: 'line-2' }, { quantity: '4' }));
    await saver.flush();
    expect(tags).toEqual(['1', '2']);
  });

  test('keeps what was refused, sends the rest, and tries again once it was changed', async () => {
    const api = new ModelApi(started());
    const calls = api.callsOf(
      () => 'done',
      () => undefined,
    );
    const saver = new Saver({
      ...{ quote: api.read, language: 'en', later: () => () => undefined, newIdempotencyKey: () => 'a-key' },
      calls: {
        ...calls,
        send: async (step, how) => {
          if (step.kind === 'change-line' && step.line.quantity === '9') {
            throw new TenantryError('patchLineItem', { code: 'VALIDATION_ERROR', status: 400 });
          }
          return calls.send(step, how);
        },
      },
    });
    const place = (lineKey: string) => ({ packageKey: 'roof', lineKey });
    saver.edit(typeLine(place('line-1'), { quantity: '9' }));
    saver.edit(typeLine(place('line-2'), { quantity: '4' }));
    await saver.flush();
    expect(saver.getState().refused).toHaveLength(1);
    expect(api.quote.packages[0]?.lines.map(({ quantity }) => quantity)).toEqual(['1', '4', '1']);
    saver.edit(typeLine(place('line-1'), { quantity: '8' }));
    await saver.flush();
    expect(saver.getState().refused).toEqual([]);
    expect(api.quote.packages[0]?.lines[0]?.quantity).toBe('8');
  });

  test('brings back a line and a package that were deleted and saved, whole and in their places', async () => {
    const api = new ModelApi(started());
    const { saver } = new Writer(api, 'Ada');
    const texts = () =>
      api.quote.packages.map(({ name, lines }) => [name, ...lines.map((one) => one.description)]);
    const before = ['Package 0', 'Line 1', 'Line 2', 'Line 3'];
    const [roof] = saver.getState().draft.packages;
    const line = roof?.lines[1];
    if (!roof || !line) throw new Error('There is no line.');
    const place = { packageKey: roof.key, lineKey: line.key };
    saver.edit(removeLine(place));
    await saver.flush();
    expect(texts()).toEqual([['Package 0', 'Line 1', 'Line 3']]);
    saver.edit(putLine(place, line, 1));
    await saver.flush();
    expect(texts()).toEqual([before]);
    const [now] = saver.getState().draft.packages;
    if (!now) throw new Error('There is no package.');
    saver.edit(addPackage('Walls'));
    saver.edit(removePackage(now.key));
    await saver.flush();
    expect(texts()).toEqual([]);
    saver.edit(putPackage(now, 0));
    await saver.flush();
    expect(texts()).toEqual([before]);
  });
});
