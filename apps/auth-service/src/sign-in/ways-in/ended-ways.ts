import type { UserTransaction } from '../../database.ts';
import type { Client } from '../../ground/index.ts';
import type { Addressee } from '../../mail/index.ts';
import { pendingChanges, type PendingChange, type Principal, type Sessions } from '../../sessions/index.ts';
import type { Lockout } from '../lockout/lockout.ts';

/**
 * Ways in that end: a password that is changed, reset or removed, a passkey, an identity or a set of backup codes that is, the
 * former address, a second factor that is turned off.
 */
export const ways = ['password', 'passkey', 'identity', 'mailbox', 'backup-codes', 'second-factor'] as const;

/** One of {@link ways}. */
export type Way = (typeof ways)[number];

/** What a way in can begin, and what would go on without it. Sessions end first: devices go by those that are left. */
export const begun = ['session', ...pendingChanges, 'letter', 'known-device'] as const;

/** One of {@link begun}. */
export type Begun = (typeof begun)[number];

/** A reason why something does not end with a way. */
interface Stays {
  readonly stays: string;
}

// A pending change does not record which session began it, so all go. A reset stays only where an organization made the account and
// the owner of its mailbox has not claimed it.
const pending = {
  'email-change': 'ends',
  'set-up': 'ends',
  'identity-link': 'ends',
  'password-reset': 'ends',
  challenge: 'ends',
} as const satisfies Record<PendingChange, 'ends'>;

const provesTheMailbox: Stays = { stays: 'its code proves the mailbox, whoever asked for it' };
const beginsSessions = { session: 'ends', ...pending, 'known-device': 'ends' } as const;

/** What ends with each way: adding a way, or something that it can begin, requires an answer here. */
export const endsWith: Readonly<Record<Way, Readonly<Record<Begun, 'ends' | Stays>>>> = {
  password: { ...beginsSessions, letter: provesTheMailbox },
  passkey: { ...beginsSessions, letter: provesTheMailbox },
  identity: { ...beginsSessions, letter: provesTheMailbox },
  mailbox: { ...beginsSessions, letter: 'ends' },
  'backup-codes': { ...beginsSessions, letter: provesTheMailbox },
  'second-factor': { ...beginsSessions, letter: provesTheMailbox },
};

/** The factors of sessions that a way has begun, as named in `amr`. */
const factorsOf: Readonly<Record<Way, readonly string[]>> = {
  password: ['pwd'],
  passkey: ['pop'],
  identity: ['fed'],
  mailbox: ['email'],
  'backup-codes': ['backup'],
  'second-factor': ['otp', 'backup'],
};

/** Whose way ends. */
interface Ended {
  readonly account: Pick<Addressee, 'email'> & { readonly id: string };
  /** In which session: it goes on, since it has just proven its user, and its device stays known. */
  readonly principal?: Principal;
  /** From which device of the user, where there is no session: it stays known. */
  readonly client?: Client;
}

interface EndedWaysDependencies {
  readonly lockout: Pick<Lockout, 'forget' | 'forgetDevices'>;
  /** Letters with a code, which belong to an address. */
  readonly letters: { readonly forgetAddress: (tx: UserTransaction, email: string) => Promise<void> };
  readonly sessions: Pick<Sessions, 'devices' | 'endings' | 'pending'>;
}

/** Ends everything that a way in has begun. Whatever ends a way asks here, in its own transaction of the user. */
export class EndedWays {
  readonly #dependencies: EndedWaysDependencies;

  constructor(dependencies: EndedWaysDependencies) {
    this.#dependencies = dependencies;
  }

  async end(tx: UserTransaction, way: Way, ended: Ended): Promise<void> {
    const ending = begun.filter((kind) => endsWith[way][kind] === 'ends');
    for (const kind of ending) await this.#end(tx, kind, { ...ended, way });
  }

  async #end(tx: UserTransaction, kind: Begun, ended: Ended & { readonly way: Way }): Promise<void> {
    const { letters, sessions } = this.#dependencies;
    if (kind === 'session') await this.#endSessions(tx, ended);
    else if (kind === 'known-device') await this.#forgetDevices(tx, ended);
    else if (kind === 'letter') await letters.forgetAddress(tx, ended.account.email);
    else await sessions.pending.withdraw(tx, [kind]);
  }

  /** Sessions do not record which of several passkeys, identities or codes began them. */
  async #endSessions(
    tx: UserTransaction,
    { way, account, principal }: Ended & { readonly way: Way },
  ): Promise<void> {
    const { endings } = this.#dependencies.sessions;
    for (const factor of factorsOf[way]) {
      if (principal) await endings.revokeOthers(tx, principal, factor);
      else await endings.revokeBegunBy(tx, account, factor);
    }
  }

  /** A device stays known as long as a session of it goes on. A former address has no devices: another account may get it. */
  async #forgetDevices(
    tx: UserTransaction,
    { way, account, client }: Ended & { readonly way: Way },
  ): Promise<void> {
    const { lockout, sessions } = this.#dependencies;
    if (way === 'mailbox') return lockout.forget(tx, account.email);
    const here = client?.deviceId ?? null;
    const but = [...(await sessions.devices(tx)), ...(here === null ? [] : [here])];
    return lockout.forgetDevices(tx, account.email, but);
  }
}
