import { ApiError } from '@tenantry/envelope';
import { Type, type TUnsafe } from 'typebox';

/** The moves of a state machine: what the rule, the refusal and the documents say of it. */
export interface Transitions<State extends string> {
  /** Every state, in the order of the table. */
  readonly states: readonly State[];
  /** The schema of a state. */
  readonly Schema: TUnsafe<State>;
  /** All moves in words, for a schema's description. */
  readonly description: string;
  allowedFrom(from: State): readonly State[];
  /** Whether the move is allowed; an unchanged state always is. */
  allows(from: State, to: State): boolean;
  /**
   * Lets an allowed move pass.
   *
   * @throws INVALID_TRANSITION with `from`, `to` and what is allowed.
   */
  require(from: State, to: State): void;
  /** What {@link require} throws, as an example for a route's `errors`. */
  refusal(from: State, to: State): ApiError;
}

/** Of what the machine holds the state, and in which field. */
export interface TransitionNames {
  /** In a message: `lead`. */
  readonly noun: string;
  /** Default: `status`. */
  readonly field?: string;
}

/**
 * Makes a state machine of its table: each state, and the states that it may move to.
 *
 * @example
 * const leadStatus = transitions({ noun: 'lead' }, { new: ['contacted'], contacted: ['won', 'lost'], won: [], lost: [] });
 */
export function transitions<const State extends string>(
  { noun, field = 'status' }: TransitionNames,
  table: Readonly<Record<State, readonly NoInfer<State>[]>>,
): Transitions<State> {
  const states = Object.keys(table) as State[];
  const moves = states
    .filter((from) => table[from].length > 0)
    .map((from) => `${from} to ${table[from].join(' or ')}`);
  const refusal = (from: State, to: State) => refusedMove({ noun, field, from, to, allowed: table[from] });
  const allows = (from: State, to: State) => from === to || table[from].includes(to);

  return {
    states,
    Schema: Type.Unsafe<State>({ type: 'string', enum: states }),
    description: `moves: ${moves.join(', ')}`,
    allowedFrom: (from) => table[from],
    allows,
    require(from, to) {
      if (!allows(from, to)) throw refusal(from, to);
    },
    refusal,
  };
}

interface RefusedMove {
  readonly noun: string;
  readonly field: string;
  readonly from: string;
  readonly to: string;
  readonly allowed: readonly string[];
}

function refusedMove({ noun, field, from, to, allowed }: RefusedMove): ApiError {
  const choice = allowed.length > 0 ? `it can move to ${allowed.join(' or ')}` : 'it is final';
  const message = `cannot move from ${from} to ${to}`;
  return new ApiError('INVALID_TRANSITION', `A ${noun} ${message}: ${choice}.`, {
    details: [{ field, rule: 'transition', params: { from, to, allowed }, message: `${message}: ${choice}` }],
  });
}
