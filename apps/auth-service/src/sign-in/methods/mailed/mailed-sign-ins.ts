import type { ApiError } from '@tenantry/envelope';
import { LocatedTokens } from '@tenantry/service/tokens';
import { withoutSession, type Transaction, type UserTransaction } from '../../../database.ts';
import type { Client, Ground } from '../../../ground/index.ts';
import { invalidToken, type Addressee, type Mail } from '../../../mail/index.ts';
import { bindToDevice } from '../../device-binding.ts';
import type { Lockout } from '../../lockout/lockout.ts';
import type { Mailboxes } from '../../mailboxes.ts';
import type { Admission, Newcomers } from '../../newcomers.ts';
import type { Method, Proof } from '../../proof.ts';
import type { SignInLimits } from '../../sign-in-limits.ts';
import type { Flows } from '../../flows/flows.ts';
import type { SignInIdentities } from '../providers/sign-in-identities.ts';
import { invalidTicket } from '../../flows/flows.errors.ts';
import { groupedCode, hashMailedCode, matchesMailedCode, newMailedCode } from './mailed-codes.ts';
import { notMailed, openedElsewhere, wrongMailedCode } from './mailed-sign-ins.errors.ts';
import { MailedSignInsRepository, type MailedSignIn } from './mailed-sign-ins.repository.ts';

/** A request for a letter to sign in with. */
export interface LetterRequest {
  readonly email: string;
  /** Of the account, if it has to be created. */
  readonly name?: string | undefined;
  readonly invitationToken?: string | undefined;
  /** The sign-in at a provider whose account the letter links. */
  readonly flowId?: string | undefined;
  readonly client: Client;
}

/** What identifies a request to the device that made it. */
export interface RequestedLetter {
  readonly id: string;
  readonly expiresAt: Date;
}

/** The proof from a letter: its link, or its code and the request that it belongs to. */
type ShownLetter = { readonly token: string } | { readonly requestId: string; readonly code: string };

/** A used letter. */
interface MailedClaim {
  readonly shown: ShownLetter;
  readonly client: Client;
}

interface MailedSignInsDependencies extends Pick<
  Ground,
  'database' | 'inFixedSteps' | 'now' | 'newId' | 'secrets'
> {
  readonly isOn: boolean;
  /** Whether sign-ins by a provider may need a letter. */
  readonly servesProviders: boolean;
  readonly lockout: Pick<Lockout, 'knownDevice' | 'reserve' | 'succeed'>;
  readonly signInLimits: Pick<SignInLimits, 'countLetter' | 'prove'>;
  readonly mailboxes: Pick<Mailboxes, 'ownerOf'>;
  readonly flows: Pick<Flows, 'keep'>;
  readonly signInIdentities: Pick<SignInIdentities, 'linkToNewcomer'>;
  readonly mail: Pick<Mail, 'addressees' | 'outbox'>;
  readonly newcomers: Pick<Newcomers, 'admit'>;
}

/** A correctly used letter, and the error of a second use. */
interface Recognized {
  readonly signIn: MailedSignIn;
  readonly refusal: ApiError;
}

const lifetimeMs = 10 * 60 * 1_000;
const linkTokens = new LocatedTokens('trm_');

/**
 * Sign-in by a letter with a code and a link. Either works only on the device that requested it, so a mail scanner that opens
 * links, or a person who gets the link of another's sign-in, starts no session. Never a second factor: SP 800-63B-4, 3.1.3.1.
 */
export class MailedSignIns implements Method<MailedClaim> {
  readonly #dependencies: MailedSignInsDependencies;
  readonly #repository = new MailedSignInsRepository();

  constructor(dependencies: MailedSignInsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Mails a code and a link to the address, if it has an account or may get one. The response and its timing reveal neither
   * that, nor whether a letter was sent.
   *
   * @throws NOT_FOUND where codes are not mailed; RATE_LIMITED
   */
  async request(letter: LetterRequest): Promise<RequestedLetter> {
    const { isOn, signInLimits, inFixedSteps } = this.#dependencies;
    if (!isOn) throw notMailed();
    await signInLimits.countLetter(letter);
    return inFixedSteps(() => this.#write(letter));
  }

  /** As {@link MailedSignIns.request}, for a provider that does not prove the address; the caller counts it. */
  async requestFor(letter: LetterRequest & { readonly flowId: string }): Promise<RequestedLetter> {
    return this.#dependencies.inFixedSteps(() => this.#write(letter));
  }

  /** @throws NOT_FOUND; INVALID_TOKEN; OPENED_ELSEWHERE; INVALID_CODE; ACCOUNT_LOCKED; RATE_LIMITED */
  async prove(claim: MailedClaim): Promise<Proof> {
    const { isOn, servesProviders, signInLimits } = this.#dependencies;
    if (!isOn && !servesProviders) throw notMailed();
    const { client } = claim;
    const found = await this.#find(claim);
    return signInLimits.prove({ of: found, client }, () => this.#prove(claim, found));
  }

  async #prove({ shown, client }: MailedClaim, found: MailedSignIn | undefined): Promise<Proof> {
    const { mail, now } = this.#dependencies;
    const recognized =
      'token' in shown ? this.#byToken(found, client) : await this.#byCode(shown.code, { found, client });
    const { signIn, refusal } = recognized;
    const { email, flowId, letterOf } = signIn;
    const userId = await this.#ownerOf(recognized, client);
    return {
      userId,
      amr: ['email'],
      acr: 'aal1',
      // Of its own flow alone: CVE-2026-9087.
      flow: flowId === null ? undefined : { id: flowId, from: 'letter', refusal },
      requireValid: async (tx) => {
        // The account's address may have changed meanwhile.
        if (!(await mail.addressees.hold(tx, { userId, email }))) throw refusal;
        // The letter works once, whichever of the requests that it serves it is shown for.
        if (!(await this.#repository.take(tx, letterOf, now()))) throw refusal;
      },
    };
  }

  /** Written for every address, so that wrong codes are counted and answered in the same way. */
  async #write(letter: LetterRequest): Promise<RequestedLetter> {
    const { database, lockout, mail, flows, now, newId, secrets } = this.#dependencies;
    const { email, name, flowId, client } = letter;
    const id = newId();
    const createdAt = now();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
    const code = newMailedCode();
    // It has no owner yet: it is found by its own id.
    const { token, digest: tokenDigest } = linkTokens.make({ ownerId: id, id });
    const apart = await lockout.knownDevice(database.unscoped, { email, client });
    const codeHash = hashMailedCode(code, id, secrets);
    const row = {
      id,
      email,
      name,
      codeHash,
      tokenDigest,
      binding: bindToDevice(id, client),
      createdAt,
      expiresAt,
    };
    const { mayGo, admission, account } = await this.#admit(letter);
    await withoutSession('sign-in', database.unscoped, async (tx) => {
      if (flowId !== undefined) {
        const flow = { id: flowId, from: 'ticket', refusal: invalidTicket() } as const;
        if (!(await flows.keep(tx, flow, expiresAt))) throw flow.refusal;
      }
      const data = { name: account?.name ?? null, code: groupedCode(code), token };
      const planned = { to: email, template: 'sign-in-code', data, cause: { apart } } as const;
      const hasLeft = mayGo && (await mail.outbox.enqueue(tx, planned));
      const mayShare = mayGo && flowId === undefined;
      const isOwn = apart !== undefined && account?.verified === true;
      const letterOf = mayShare ? await this.#letterFor(tx, { id, email, hasLeft, isOwn }) : undefined;
      await this.#repository.insert(tx, { ...row, letterOf, admission, flowId });
    });
    return { id, expiresAt };
  }

  /**
   * The request whose letter serves this one: strangers can use up the letters of an address, and the last of them then serves
   * its owner too. A letter to an owner's own device serves no other request.
   */
  async #letterFor(
    tx: Transaction,
    { id, email, hasLeft, isOwn }: { id: string; email: string; hasLeft: boolean; isOwn: boolean },
  ): Promise<string | undefined> {
    if (!hasLeft) return this.#repository.findShared(tx, { email, at: this.#dependencies.now() });
    return isOwn ? undefined : id;
  }

  async #admit({ email, invitationToken }: LetterRequest): Promise<Admitted> {
    const { database, mail, newcomers } = this.#dependencies;
    const [account, admission] = await Promise.all([
      mail.addressees.findByEmail(database.unscoped, email),
      newcomers.admit({ email, invitationToken }),
    ]);
    return { account, admission: admission ?? null, mayGo: account !== undefined || admission !== undefined };
  }

  /** What a link, or the request of a code, belongs to; by a code only on the device of the request. */
  async #find({ shown, client }: MailedClaim): Promise<MailedSignIn | undefined> {
    const { database, now } = this.#dependencies;
    const at = now();
    if ('token' in shown) {
      const key = linkTokens.read(shown.token);
      return key && this.#repository.findByToken(database.unscoped, { ...key, at });
    }
    const { requestId: id } = shown;
    return this.#repository.findByBinding(database.unscoped, { id, binding: bindToDevice(id, client), at });
  }

  #byToken(signIn: MailedSignIn | undefined, client: Client): Recognized {
    if (!signIn) throw invalidToken();
    if (signIn.binding !== bindToDevice(signIn.id, client)) throw openedElsewhere();
    return { signIn, refusal: invalidToken() };
  }

  /** Five wrong codes end a request, and each counts for the address: a new request gives no additional guesses. */
  async #byCode(
    code: string,
    { found: signIn, client }: { readonly found: MailedSignIn | undefined; readonly client: Client },
  ): Promise<Recognized> {
    const { database, lockout, now, secrets } = this.#dependencies;
    const rows = database.unscoped;
    const refusal = wrongMailedCode();
    if (!signIn) throw refusal;
    const { id } = signIn;
    const counter = await lockout.reserve({ email: signIn.email, client });
    const letter = await this.#repository.countTry(rows, id, now());
    if (!letter || !matchesMailedCode(code, letter, secrets)) throw refusal;
    await lockout.succeed(counter);
    await this.#repository.giveBackTry(rows, id);
    return { signIn, refusal };
  }

  /** The user of the proven address, whose account is created or claimed here. */
  #ownerOf({ signIn, refusal }: Recognized, client: Client): Promise<string> {
    const { mailboxes, signInIdentities, now } = this.#dependencies;
    const { email, name, admission, flowId, letterOf } = signIn;
    const hold = async (tx: UserTransaction) => {
      if (!(await this.#repository.hold(tx, letterOf, now()))) throw refusal;
    };
    const equip =
      flowId === null
        ? undefined
        : (tx: UserTransaction) => signInIdentities.linkToNewcomer(tx, flowId, client);
    const claim = { email, name: name ?? undefined, admission, client, by: 'mailed-code' } as const;
    return mailboxes.ownerOf({ ...claim, hold, equip, refusal });
  }
}

interface Admitted {
  readonly account: Addressee | undefined;
  readonly admission: Admission;
  /** Whether a letter goes to the address. */
  readonly mayGo: boolean;
}
