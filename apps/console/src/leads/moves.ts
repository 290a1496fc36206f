import type { ToastStore } from '../design/toast-store.ts';
import type { LeadStatus } from './lead-filters.ts';

/** A move of a lead. */
export interface Movable {
  readonly id: string;
  readonly name: string;
  readonly etag: string | undefined;
}

/** Dependencies of {@link Moves}. */
export interface MovesDependencies {
  readonly toasts: ToastStore;
  /** Sends a move; it may outlive the page. Resolves with the version that it made, or undefined if it failed. */
  readonly send: (lead: Movable, to: LeadStatus) => Promise<string | undefined>;
  readonly textOf: (lead: Movable, to: LeadStatus) => string;
}

/** A pending move. */
export interface Move {
  readonly lead: Movable;
  readonly to: LeadStatus;
  readonly toast: number;
}

/** Moves of leads, which are irreversible: each is sent after the time in which it can be undone. */
export class Moves {
  readonly #dependencies: MovesDependencies;
  readonly #listeners = new Set<() => void>();
  readonly #underWay = new Map<string, Promise<string | undefined>>();
  #moves: ReadonlyMap<string, Move> = new Map();

  constructor(dependencies: MovesDependencies) {
    this.#dependencies = dependencies;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getMoves = (): ReadonlyMap<string, Move> => this.#moves;

  /** Moves a lead, unless a move of it is pending. */
  move(lead: Movable, to: LeadStatus): void {
    if (this.#moves.has(lead.id)) return;
    const toast = this.#dependencies.toasts.show({
      text: this.#dependencies.textOf(lead, to),
      undo: () => this.#forget(lead.id),
      onEnd: () => this.#send(lead, to),
    });
    this.#set(new Map(this.#moves).set(lead.id, { lead, to, toast }));
  }

  /** Sends pending moves immediately, and waits until all are sent. */
  async sendAll(): Promise<void> {
    await Promise.all([...this.#moves.keys()].map((id) => this.sendOf(id)));
  }

  /**
   * Sends the pending move of a lead before something else is done to it.
   *
   * @returns the version of the lead by then; undefined without a move
   */
  async sendOf(id: string): Promise<string | undefined> {
    const move = this.#moves.get(id);
    if (move) this.#dependencies.toasts.end(move.toast);
    return this.#underWay.get(id);
  }

  #send(lead: Movable, to: LeadStatus): void {
    const sent = this.#dependencies.send(lead, to).finally(() => {
      this.#underWay.delete(lead.id);
      this.#forget(lead.id);
    });
    this.#underWay.set(lead.id, sent);
  }

  #forget(id: string): void {
    const moves = new Map(this.#moves);
    moves.delete(id);
    this.#set(moves);
  }

  #set(moves: ReadonlyMap<string, Move>): void {
    this.#moves = moves;
    for (const listener of this.#listeners) listener();
  }
}

/** The newer one of two versions, as ETags have them: `"12"`. */
export function newerOf(one: string | undefined, other: string | undefined): string | undefined {
  const numberOf = (etag: string | undefined) => Number(etag?.replaceAll('"', '') ?? 0);
  return numberOf(other) > numberOf(one) ? other : one;
}
