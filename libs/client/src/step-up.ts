import { isTenantryError, type TenantryError } from './errors.ts';
import type { OperationId } from './generated/operations.ts';
import type { PasskeyAssertion, TwoFactorState } from './generated/types.ts';
import type { Request } from './requests.ts';

/** Asks the user to confirm their identity before a sensitive operation. */
export interface StepUpDemand {
  /** What is required: a second factor, the password, or a new sign-in. */
  readonly reason: 'SECOND_FACTOR_REQUIRED' | 'PASSWORD_REQUIRED' | 'SIGN_IN_REQUIRED';
  /** The methods that this user has, as a second factor or to sign in again; empty if the password is needed. */
  readonly methods: readonly (SecondFactorMethod | SignInMethod)[];
  /** What they are about to do. */
  readonly operationId: OperationId;
  /** Why the last attempt was refused: it was wrong, or there were too many. */
  readonly previous: TenantryError | undefined;
}

/** The kinds of second factors. */
export type SecondFactorMethod = TwoFactorState['methods'][number];

/** The methods of signing in again. */
export type SignInMethod = 'password' | 'mailed' | 'passkey' | 'identity';

/** What the user gave: `passkey` what the browser answered to `getPasskeyVerificationOptions`; `signedIn` once you have signed in again. */
export type StepUpAnswer =
  | { readonly code: string }
  | { readonly passkey: PasskeyAssertion }
  | { readonly password: string }
  | { readonly signedIn: true };

/** Resolves to null if the user cancels: the call then rejects. Called again while the input is wrong. */
export type OnStepUp = (demand: StepUpDemand) => Promise<StepUpAnswer | null>;

/** Asks the user to continue the session at another address, by password or code. */
export interface RebindDemand {
  /** Why the last attempt was refused. */
  readonly previous: TenantryError | undefined;
}

/** As {@link OnStepUp}. */
export type OnRebind = (
  demand: RebindDemand,
) => Promise<{ readonly code: string } | { readonly password: string } | null>;

/** Sends a request of a confirmation. */
type Send = (id: OperationId, request: Request) => Promise<unknown>;

/** Options of {@link Confirmation}. */
export interface ConfirmationOptions {
  readonly onStepUp?: OnStepUp | undefined;
  readonly onRebind?: OnRebind | undefined;
}

/** Asks users to confirm who they are: one question for all calls that need the same confirmation. */
export class Confirmation {
  readonly #options: ConfirmationOptions;
  readonly #asking = new Map<string, Promise<object | null>>();

  constructor(options: ConfirmationOptions) {
    this.#options = options;
  }

  /**
   * Asks the user to confirm an operation: a second factor is verified immediately, a password goes with the operation.
   *
   * @param refusal that of the operation, or of the password that came with it
   * @returns what the user entered
   * @throws the refusal if the user cancels
   */
  stepUp(refusal: TenantryError, send: Send): Promise<StepUpAnswer> {
    const { onStepUp } = this.#options;
    const { code, reason, details, operationId } = refusal;
    const isAsked = code === 'INSUFFICIENT_USER_AUTHENTICATION';
    const demand = {
      reason: (isAsked ? reason : 'PASSWORD_REQUIRED') as StepUpDemand['reason'],
      methods: (details[0]?.params?.['methods'] ?? []) as StepUpDemand['methods'],
      operationId,
    };
    return this.#confirm<StepUpAnswer>(refusal, {
      what: demand.reason,
      ask: onStepUp && ((previous = isAsked ? undefined : refusal) => onStepUp({ ...demand, previous })),
      give: async (answer) => {
        if ('code' in answer) await send(verifying(answer.code), { body: { code: answer.code } });
        if ('passkey' in answer) await send('verifyPasskey', { body: { response: answer.passkey } });
      },
    });
  }

  /** Asks the user to continue the session at another address. @throws the refusal if the user cancels */
  rebind(refusal: TenantryError, send: Send): Promise<object> {
    const { onRebind } = this.#options;
    return this.#confirm(refusal, {
      what: 'rebind',
      ask: onRebind && ((previous) => onRebind({ previous })),
      give: (body) => send('rebindSession', { body }),
    });
  }

  async #confirm<Given extends object>(
    refusal: TenantryError,
    { what, ask, give }: Question<Given>,
  ): Promise<Given> {
    if (!ask) throw refusal;
    const asking = this.#asking.get(what) ?? untilTaken(ask, give).finally(() => this.#asking.delete(what));
    this.#asking.set(what, asking);
    const answer = await asking;
    if (answer === null) throw refusal;
    return answer as Given;
  }
}

interface Question<Given> {
  /** Calls that wait for the same wait for one answer. */
  readonly what: string;
  readonly ask: ((previous: TenantryError | undefined) => Promise<Given | null>) | undefined;
  readonly give: (answer: Given) => Promise<unknown>;
}

/** Asks until an answer is taken, or there is none. */
async function untilTaken<Given>(
  ask: (previous: TenantryError | undefined) => Promise<Given | null>,
  give: (answer: Given) => Promise<unknown>,
): Promise<Given | null> {
  let previous: TenantryError | undefined;
  for (;;) {
    const answer = await ask(previous);
    if (answer === null) return null;
    try {
      await give(answer);
      return answer;
    } catch (error) {
      // The user sees what is wrong and tries again; a session that has ended takes no answer any more.
      if (!isTenantryError(error) || error.code === 'UNAUTHENTICATED') throw error;
      previous = error;
    }
  }
}

const verifying = (code: string): OperationId => (/^\d{6}$/.test(code) ? 'verifyTotp' : 'verifyBackupCode');

/** Whether a refusal is about the password that came with an operation. */
export function isWrongPassword({ code, details }: TenantryError): boolean {
  return code === 'INVALID_CREDENTIALS' && details[0]?.field === 'password';
}
