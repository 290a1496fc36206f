import { ApiError } from '@tenantry/envelope';
import { Type, type TUnsafe } from 'typebox';

/** Of what the machine holds the state, and in which field. */
export interface TransitionNames {
  /** In a message: `lead`. */
  readonly noun: string;
  /** Default: `status`. */
  readonly field?: string;
}

/**
 * The moves of a state machine, by a table of each state and the states that it may move to: what the rule, the refusal and the
 * documents say of it.
 *
 * @example
 * const leadStatus = new Transitions({ noun: 'lead' }, { new: ['contacted'], contacted: ['won', 'lost'], won: [], lost: [] });
 */
export class Transitions<const State extends string> {
  /** Every state, in the order of the table. */
  readonly states: readonly State[];
  /** The schema of a state. */
  readonly Schema: TUnsafe<State>;
  /** All moves in words, for a schema's description. */
  readonly description: string;
  readonly #names: TransitionNames;
  readonly #table: Readonly<Record<State, readonly State[]>>;

  constructor(names: TransitionNames, table: Readonly<Record<State, readonly NoInfer<State>[]>>) {
    const states = Object.keys(table) as State[];
    const moves = states
      .filter((from) => table[from].length > 0)
      .map((from) => `${from} to ${table[from].join(' or ')}`);
    this.states = states;
    this.Schema = Type.Unsafe<State>({ type: 'string', enum: states });
    this.description = `moves: ${moves.join(', ')}`;
    this.#names = names;
    this.#table = table;
  }

  /** The same machine with further moves, each from one state to another. */
  with(moves: readonly (readonly [from: State, to: State])[]): Transitions<State> {
    const table = Object.fromEntries(
      this.states.map((state) => {
        const further = moves.filter(([from]) => from === state).map(([, to]) => to);
        return [state, [...new Set([...this.#table[state], ...further])]];
      }),
    );
    return new Transitions(this.#names, table as Record<State, State[]>);
  }

  allowedFrom(from: State): readonly State[] {
    return this.#table[from];
  }

  /** Whether the move is allowed; an unchanged state always is. */
  allows(from: State, to: State): boolean {
    return from === to || this.#table[from].includes(to);
  }

  /**
   * Lets an allowed move pass.
   *
   * @throws INVALID_TRANSITION with `from`, `to` and what is allowed.
   */
  require(from: State, to: State): void {
    if (!this.allows(from, to)) throw this.refusal(from, to);
  }

  /** What {@link require} throws, as an example for a route's `errors`. */
  refusal(from: State, to: State): ApiError {
    const { noun, field = 'status' } = this.#names;
    const allowed = this.#table[from];
    const choice = allowed.length > 0 ? `it can move to ${allowed.join(' or ')}` : 'it is final';
    const message = `cannot move from ${from} to ${to}`;
    return new ApiError('INVALID_TRANSITION', `A ${noun} ${message}: ${choice}.`, {
      details: [
        { field, rule: 'transition', params: { from, to, allowed }, message: `${message}: ${choice}` },
      ],
    });
  }
}
