import { TenantryError } from '@tenantry/client';
import { endingBlank, type Draft } from '../../../src/quotes/editor/draft.ts';
import type { ReadQuote, Saver, SaverCalls, Sent } from '../../../src/quotes/editor/saver.ts';
import { savedAfter, type Step } from '../../../src/quotes/editor/steps.ts';

/** What becomes of a request on its way. */
export type Fate = 'done' | 'lost' | 'answer-lost';

/** A quote as the API keeps it: changed under its entity tag alone, and an addition done once under its key. */
export class ModelApi {
  quote: Draft;
  readonly added = new Map<string, Sent>();
  #version = 1;
  #ids = 0;

  constructor(quote: Draft) {
    this.quote = quote;
  }

  get read(): ReadQuote {
    const packages = this.quote.packages.map((one) => ({
      ...{ ...one, key: one.id ?? '' },
      lines: endingBlank(one.lines.map((line) => ({ ...line, key: line.id ?? '' }))),
    }));
    const totals = { subtotal: 0, vatAmount: 0, totalAmount: 0 };
    return { draft: { ...this.quote, packages }, etag: `${this.#version}`, totals, isOpen: true };
  }

  /** The API as one person reaches it; `savedOf` is what they believe to be saved. */
  callsOf(nextFate: () => Fate, savedOf: () => Saver | undefined): SaverCalls {
    return {
      read: async () => Promise.resolve(this.read),
      send: async (step, { ifMatch, idempotencyKey }) => {
        const fate = nextFate();
        if (fate === 'lost') throw new TenantryError('patchQuote', { code: 'OFFLINE' });
        const sent = this.#take(step, { ifMatch, idempotencyKey, savedOf });
        if (fate === 'answer-lost') throw new TenantryError('patchQuote', { code: 'OFFLINE' });
        return Promise.resolve(sent);
      },
    };
  }

  #take(step: Step, how: Taken): Sent {
    const isAddition = step.kind === 'add-line' || step.kind === 'add-package';
    const answered = this.added.get(how.idempotencyKey);
    if (isAddition && answered) return answered;
    if (how.ifMatch !== `${this.#version}`) {
      throw new TenantryError('patchQuote', { code: 'PRECONDITION_FAILED', status: 412 });
    }
    this.#refuseBlindChange(step, how.savedOf()?.getState().saved);
    this.#version += 1;
    const id = isAddition ? `id-${(this.#ids += 1)}` : undefined;
    this.quote = savedAfter(this.quote, step, id);
    const sent = { id, etag: `${this.#version}` };
    if (isAddition) this.added.set(how.idempotencyKey, sent);
    return sent;
  }

  /** Nothing is overwritten that its writer has not seen. */
  #refuseBlindChange(step: Step, saved: Draft | undefined): void {
    if (step.kind !== 'change-line' || !saved) return;
    const textOf = (quote: Draft) =>
      quote.packages.flatMap(({ lines }) => lines).find(({ id }) => id === step.id)?.description;
    if (textOf(saved) !== textOf(this.quote)) throw new Error('A line was overwritten unseen.');
  }
}

interface Taken {
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string;
  readonly savedOf: () => Saver | undefined;
}
