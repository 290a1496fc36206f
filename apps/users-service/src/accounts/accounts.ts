import {
  AccountAnswer,
  accountPath,
  accountsPath,
  type NewAccount,
  type Removal,
  type Renaming,
} from '@tenantry/contracts';
import type { Logger } from '@tenantry/service/logging';
import { callPeer, type PeerConfig } from '@tenantry/service/peers';
import { Check } from 'typebox/value';
import { accountsUnavailable, userNotFound } from './accounts.errors.ts';
import { refusalOf, type Refused } from './refusals.ts';

/** An account as auth-service returns it. */
export interface Account {
  readonly id: string;
  readonly email: string;
}

/** Where the actor acts from: auth-service limits by the address, and asks whether the session is alive. */
export interface Caller {
  readonly clientAddress: string;
  readonly sessionId: string;
}

export interface AccountsOptions {
  readonly config: PeerConfig;
  readonly logger: Logger;
}

interface Request {
  readonly caller: Caller;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Includes waiting for a turn to hash the password. */
const timeoutMs = 8_000;

/** Manages accounts in auth-service, which decides what is allowed. */
export class Accounts {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  async create(
    account: NewAccount,
    { idempotencyKey, ...caller }: Caller & { readonly idempotencyKey: string },
  ): Promise<Account> {
    const headers = { 'idempotency-key': idempotencyKey };
    const answer = await this.#ask({
      method: 'POST',
      path: accountsPath,
      body: account,
      headers,
      caller,
    });
    if (answer.status !== 201) return this.#refuse(answer);
    const created: unknown = await answer.json();
    if (!Check(AccountAnswer, created))
      throw accountsUnavailable(new Error('auth-service answered no account'));
    return { id: created.user.id, email: created.user.email };
  }

  /** @returns false if the name has changed meanwhile */
  async rename(id: string, renaming: Renaming, caller: Caller): Promise<boolean> {
    const answer = await this.#ask({ method: 'PATCH', path: accountPath(id), body: renaming, caller });
    if (answer.status === 200) return true;
    if (answer.status === 404) throw userNotFound();
    const copy = answer.clone();
    const { code } = (await copy.json().catch(() => ({}))) as Refused;
    return code === 'NAME_CHANGED' ? false : this.#refuse(answer);
  }

  async remove(id: string, removal: Removal, caller: Caller): Promise<void> {
    const query = new URLSearchParams({ ...removal });
    const answer = await this.#ask({
      method: 'DELETE',
      path: `${accountPath(id)}?${query.toString()}`,
      caller,
    });
    if (answer.status === 204) return;
    if (answer.status === 404) throw userNotFound();
    await this.#refuse(answer);
  }

  async #ask({ method, path, body, headers, caller }: Request): Promise<Response> {
    const { config } = this.#options;
    try {
      return await callPeer('change account', `${config.AUTH_INTERNAL_URL}${path}`, {
        config,
        method,
        headers: {
          'x-client-address': caller.clientAddress,
          'x-session-id': caller.sessionId,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw accountsUnavailable(error);
    }
  }

  /** Errors of auth-service that the request caused are passed on; any other one is an outage. */
  async #refuse(answer: Response): Promise<never> {
    const { logger } = this.#options;
    const { status } = answer;
    const refused = (await answer.json().catch(() => ({}))) as Refused;
    const refusal = refusalOf(refused, answer.headers);
    if (refusal) throw refusal;
    if (status < 500)
      logger.error({ status, code: refused.code }, 'auth-service refused a request of this service');
    throw accountsUnavailable();
  }
}
