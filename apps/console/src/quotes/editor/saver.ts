import type { Totals } from '@tenantry/money';
import { isTenantryError } from '@tenantry/client';
import type { Language } from '../../design/language.ts';
import { sameIn, type Draft } from './draft.ts';
import { meaningOf } from './failed-saving.ts';
import { merge, type Conflict } from './merge.ts';
import { draftAfter, savedAfter, stepsBetween, type Step } from './steps.ts';

/** A quote as it was read. */
export interface ReadQuote {
  readonly draft: Draft;
  readonly etag: string | undefined;
  readonly totals: Totals;
  /** Whether it may still be changed. */
  readonly isOpen: boolean;
}

/** What a step led to. */
export interface Sent {
  /** Of what it added. */
  readonly id?: string | undefined;
  readonly etag: string | undefined;
  readonly totals?: Totals | undefined;
}

/** How a quote is read and changed. */
export interface SaverCalls {
  readonly read: () => Promise<ReadQuote>;
  readonly send: (step: Step, how: SendHow) => Promise<Sent>;
  /** Told what is saved after each step that gave a version. */
  readonly onSaved?: (saved: Draft, etag: string) => void;
}

export interface SendHow {
  readonly ifMatch: string | undefined;
  readonly idempotencyKey: string;
}

/** Options of {@link Saver}. */
export interface SaverOptions {
  readonly quote: ReadQuote;
  readonly calls: SaverCalls;
  readonly language: Language;
  /** Runs something after a while, and gives what calls it off. */
  readonly later: (run: () => void, ms: number) => () => void;
  /** A new one for each request that adds. */
  readonly newIdempotencyKey: () => string;
}

/** A change that the API does not take as it is. */
export interface Refused {
  readonly step: Step;
  readonly error: unknown;
}

/** What is typed, and how far it is saved. */
export interface SaverState {
  readonly draft: Draft;
  readonly saved: Draft;
  /** Of what is saved. */
  readonly etag: string | undefined;
  /** As the API has them; of what is saved. */
  readonly totals: Totals | undefined;
  readonly conflicts: readonly Conflict[];
  readonly refused: readonly Refused[];
  /** Why nothing is saved at the moment. */
  readonly failure: unknown;
  /** Whether a request is under way or about to be. */
  readonly isBusy: boolean;
  /** It was sent or deleted meanwhile, so it can no longer be changed. */
  readonly isClosed: boolean;
}

const pauseMs = 500;
const retryMsMax = 30_000;

/**
 * Saves a quote as it is typed: one request at a time, each with the entity tag that the last one gave. What is sent follows
 * from how what is typed differs from what is saved, so that nothing has to be kept in step with every key.
 */
export class Saver {
  readonly #options: SaverOptions;
  readonly #listeners = new Set<() => void>();
  #state: SaverState;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #failures = 0;
  /** A request that was sent and whose answer never came: it may have been done. */
  #unanswered: { readonly step: Step; readonly idempotencyKey: string } | undefined;

  constructor(options: SaverOptions) {
    const { draft, etag, totals } = options.quote;
    this.#options = options;
    this.#state = {
      draft,
      saved: draft,
      etag,
      totals,
      conflicts: [],
      refused: [],
      failure: undefined,
      isBusy: false,
      isClosed: false,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getState = (): SaverState => this.#state;

  /** Changes what is typed; it is saved once nothing was typed for a moment. */
  edit(change: (draft: Draft) => Draft): void {
    const draft = change(this.#state.draft);
    if (draft === this.#state.draft) return;
    this.#set({ draft });
    if (this.#failures === 0) this.#plan(pauseMs);
  }

  /** Decides a conflict: what is typed then stands. */
  decide(conflict: Conflict, change: (draft: Draft) => Draft): void {
    this.#set({ conflicts: this.#state.conflicts.filter((other) => other !== conflict) });
    this.#set({ draft: change(this.#state.draft) });
    this.#plan(0);
  }

  /** Saves what can be saved now, also where it failed before. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Saves nothing more by itself. */
  stop(): void {
    this.#cancel?.();
  }

  /** What would be sent next; undefined where nothing is left that can be sent. */
  next(): Step | undefined {
    const { draft, saved, conflicts, refused, isClosed } = this.#state;
    if (isClosed) return undefined;
    const held = new Set(conflicts.filter(({ kind }) => kind !== 'order').map(({ at }) => at));
    const seen = new Set(refused.map(({ step }) => JSON.stringify(step)));
    const { language } = this.#options;
    for (const step of stepsBetween({ saved, draft, language, isHeld: (at) => held.has(at) })) {
      if (!seen.has(JSON.stringify(step))) return step;
    }
    return undefined;
  }

  #plan(ms: number): void {
    this.#cancel?.();
    this.#set({ isBusy: this.#running !== undefined || this.next() !== undefined });
    this.#cancel = this.#options.later(() => void this.flush(), ms);
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        // Nothing is sent without a tag: it would overwrite what somebody else has written meanwhile.
        if (this.#state.etag === undefined) await this.#readAgain(undefined);
        const sending = this.#unanswered ?? this.#begin();
        if (!sending) break;
        this.#set({ isBusy: true });
        await this.#send(sending);
        this.#failures = 0;
        this.#set({ failure: undefined });
      }
      this.#failures = 0;
      this.#set({ isBusy: false, failure: undefined });
    } catch (failure) {
      this.#fail(failure);
    }
  }

  #begin() {
    const step = this.next();
    return step && { step, idempotencyKey: this.#options.newIdempotencyKey() };
  }

  async #send(sending: { readonly step: Step; readonly idempotencyKey: string }): Promise<void> {
    const { step, idempotencyKey } = sending;
    try {
      const sent = await this.#options.calls.send(step, { ifMatch: this.#state.etag, idempotencyKey });
      this.#unanswered = undefined;
      this.#keep(step, sent);
    } catch (error) {
      const kind = meaningOf(error);
      if (kind === 'changed') {
        const lost = this.#unanswered?.step;
        this.#unanswered = undefined;
        return this.#readAgain(lost);
      }
      if (kind === 'refused') {
        this.#unanswered = undefined;
        this.#set({ refused: [...this.#refusedElsewhere(step), { step, error }] });
        return;
      }
      // Repeated as it was: what adds is not done twice under its key, and the others say what they find.
      this.#unanswered = sending;
      throw error;
    }
  }

  #keep(step: Step, { id, etag, totals }: Sent): void {
    const { draft, saved } = this.#state;
    this.#set({
      etag,
      draft: draftAfter(draft, step, id),
      saved: savedAfter(saved, step, id),
      // What was refused may fit now.
      totals,
      refused: [],
    });
    if (etag !== undefined) this.#options.calls.onSaved?.(this.#state.saved, etag);
  }

  /** Of one thing only the last refusal counts. */
  #refusedElsewhere(step: Step): readonly Refused[] {
    const at = placeOf(step);
    return this.#state.refused.filter((other) => placeOf(other.step) !== at);
  }

  /** Somebody else was faster: joins what they did with what is typed. */
  async #readAgain(lost: Step | undefined): Promise<void> {
    const read = await this.#options.calls.read();
    const { draft: mine, saved } = this.#state;
    const { draft: theirs, totals } = read;
    const bases = [saved, ...(lost ? [savedAfter(saved, lost)] : [])] as const;
    const isSame = sameIn(this.#options.language);
    const { draft, conflicts } = merge({ bases, mine, theirs, isSame });
    const isKnown = (one: Conflict) => conflicts.some((other) => isAbout(other, one));
    const earlier = this.#state.conflicts.filter((one) => !isKnown(one));
    this.#set({
      draft,
      saved: theirs,
      totals,
      conflicts: [...earlier, ...conflicts],
      refused: [],
      etag: read.etag,
      isClosed: !read.isOpen,
    });
  }

  #fail(failure: unknown): void {
    this.#set({ failure, isBusy: false });
    if (meaningOf(failure) === 'gone') this.#set({ isClosed: true });
    if (meaningOf(failure) !== 'passing') return;
    const seconds = isTenantryError(failure) ? failure.retryAfterSeconds : undefined;
    const ms = seconds === undefined ? Math.min(1_000 * 2 ** this.#failures, retryMsMax) : seconds * 1_000;
    this.#failures += 1;
    this.#cancel?.();
    this.#cancel = this.#options.later(() => void this.flush(), ms);
  }

  #set(changed: Partial<SaverState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}

const isAbout = (one: Conflict, other: Conflict): boolean =>
  one.at === other.at && one.kind === other.kind && one.field === other.field;

/** What a step is about: the key of a line or package, or the head. */
export function placeOf(step: Step): string {
  if ('line' in step) return step.line.key;
  if ('workPackage' in step) return step.workPackage.key;
  return 'id' in step ? step.id : step.kind;
}
