import type { UserTransaction } from '../../../database.ts';
import { addressKeyOf, countRefused, type Client, type Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Mailboxes } from '../../mailboxes.ts';
import type { Newcomers } from '../../newcomers.ts';
import type { Method, Proof } from '../../proof.ts';
import type { SignInLimits } from '../../sign-in-limits.ts';
import { invalidCredentials } from '../../sign-in.errors.ts';
import type { LetterRequest, MailedSignIns, RequestedLetter } from '../mailed/mailed-sign-ins.ts';
import type { Flows, ProvenFlow, TicketClaim } from '../../flows/flows.ts';
import { displayName } from '../../flows/display-names.ts';
import { addressIn, type Identities } from './identities.ts';
import type { SignInIdentities } from './sign-in-identities.ts';
import { invalidTicket } from '../../flows/flows.errors.ts';
import { emailMissing, invitedAddressTaken } from './providers.errors.ts';

interface ProviderSignInsDependencies extends Pick<Ground, 'config' | 'database' | 'limits'> {
  readonly flows: Flows;
  readonly identities: Identities;
  readonly signInIdentities: Pick<SignInIdentities, 'linkToNewcomer'>;
  readonly mailboxes: Pick<Mailboxes, 'ownerOf'>;
  readonly signInLimits: Pick<SignInLimits, 'countLetter'>;
  readonly mailedSignIns: Pick<MailedSignIns, 'requestFor'>;
  readonly mail: Pick<Mail, 'addressees'>;
  readonly newcomers: Pick<Newcomers, 'invited' | 'isTaken' | 'open'>;
}

/** A ticket that signs a user in. */
interface OpenedTicket {
  readonly flow: ProvenFlow;
  readonly standing: Standing;
  readonly client: Client;
}

/** The user of a sign-in. */
type Standing =
  | { readonly kind: 'known'; readonly userId: string }
  | { readonly kind: 'invited'; readonly invitationToken: string }
  | { readonly kind: 'mailbox'; readonly email: string }
  | { readonly kind: 'newcomer'; readonly email: string };

/** If a provider does not say when the user authenticated, it counts as not recent. */
const longAgo = new Date(0);

/**
 * Sign-in by a provider. A provider account signs in one user, whatever its address; the first time, the user is determined by
 * a proof of the address: an invitation, a provider that vouches for it, or a letter.
 */
export class ProviderSignIns implements Method<OpenedTicket> {
  readonly #dependencies: ProviderSignInsDependencies;

  constructor(dependencies: ProviderSignInsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens a ticket, and determines its user.
   *
   * @returns the request of the letter that has to prove the address, if nothing else does
   * @throws INVALID_TICKET; EMAIL_MISSING; EMAIL_NOT_VERIFIED; RATE_LIMITED
   */
  async open(claim: TicketClaim): Promise<OpenedTicket | RequestedLetter> {
    const { limits, signInLimits, mailedSignIns } = this.#dependencies;
    const charge = { limiter: limits.signInLetters, key: addressKeyOf(claim.client) };
    const opened = await countRefused(charge, () => this.#open(claim));
    if ('standing' in opened) return opened;
    // Such a provider accepts any address without a check.
    await signInLimits.countLetter(opened);
    return mailedSignIns.requestFor(opened);
  }

  /** @returns the letter to send, if nothing else proves the address */
  async #open(claim: TicketClaim): Promise<OpenedTicket | (LetterRequest & { readonly flowId: string })> {
    const { client } = claim;
    const flow = await this.#dependencies.flows.open(claim, { intent: 'sign-in', userId: null });
    const standing = await this.#standingOf(flow);
    if (standing) return { flow, standing, client };
    const email = addressIn(flow.profile);
    if (email === null) throw emailMissing();
    const name = displayName(flow.profile.name);
    return { email, name, flowId: flow.id, client };
  }

  /** @throws INVALID_TICKET; INVALID_CREDENTIALS; SIGN_UP_CLOSED; USER_ALREADY_EXISTS; RATE_LIMITED */
  async prove(opened: OpenedTicket): Promise<Proof> {
    const { flow } = opened;
    const userId = await this.#userOf(opened);
    return {
      userId,
      amr: ['fed'],
      acr: 'aal1',
      authenticatedAt: flow.profile.authTime === null ? longAgo : new Date(flow.profile.authTime * 1_000),
      flow: { id: flow.id, from: 'ticket', refusal: invalidTicket() },
      requireValid: (tx) => this.#requireValid(tx, opened),
    };
  }

  /** The address may have moved to another account meanwhile, and the identity may have been unlinked. */
  async #requireValid(tx: UserTransaction, { flow, standing }: OpenedTicket): Promise<void> {
    const { identities, mail } = this.#dependencies;
    const { userId } = tx.scope;
    const isValid =
      standing.kind === 'mailbox'
        ? await mail.addressees.hold(tx, { userId, email: standing.email })
        : await identities.isLinkedTo(tx, flow.profile);
    if (!isValid) throw invalidTicket();
  }

  /** In this order, so that an address never takes precedence over a known identity. */
  async #standingOf({ profile, invitationToken }: ProvenFlow): Promise<Standing | undefined> {
    const { config, identities, newcomers } = this.#dependencies;
    const userId = await identities.findUser(profile);
    if (userId !== undefined) return this.#knownStanding(userId);
    if (invitationToken !== undefined) return { kind: 'invited', invitationToken };
    const email = addressIn(profile);
    if (email === null) return undefined;
    if (profile.provesEmail) return { kind: 'mailbox', email };
    const mayBegin = !config.REQUIRE_EMAIL_VERIFICATION && config.SIGN_UP === 'open';
    if (mayBegin && !(await newcomers.isTaken(email))) return { kind: 'newcomer', email };
    // Another use of the ticket may have created the account since the check above.
    const begun = await identities.findUser(profile);
    return begun === undefined ? undefined : { kind: 'known', userId: begun };
  }

  /** If addresses have to be confirmed before the first sign-in, this also applies to sign-ins by a provider. */
  async #knownStanding(userId: string): Promise<Standing> {
    const { config, database, mail } = this.#dependencies;
    if (config.REQUIRE_EMAIL_VERIFICATION) await mail.addressees.requireProven(database.unscoped, userId);
    return { kind: 'known', userId };
  }

  async #userOf(opened: OpenedTicket): Promise<string> {
    const { identities, newcomers } = this.#dependencies;
    const { standing } = opened;
    if (standing.kind === 'known') return standing.userId;
    if (standing.kind === 'mailbox') return this.#ownerOf(opened, standing.email);
    const plan =
      standing.kind === 'newcomer'
        ? { email: standing.email, admission: null, isUnproven: true as const }
        : await newcomers.invited(standing.invitationToken);
    const begun = await newcomers.open({ ...plan, ...this.#newcomerOf(opened) });
    if (begun !== undefined) return begun;
    // Another use of the ticket may have been first.
    const userId = await identities.findUser(opened.flow.profile);
    if (userId !== undefined) return userId;
    throw standing.kind === 'invited' ? invitedAddressTaken() : invalidTicket();
  }

  #newcomerOf(opened: OpenedTicket) {
    const { flow, client } = opened;
    const hold = this.#holding(flow);
    return { name: displayName(flow.profile.name), client, hold, equip: this.#linking(opened) };
  }

  /** The account of an address that the provider vouches for. */
  #ownerOf(opened: OpenedTicket, email: string): Promise<string> {
    const { flow, client } = opened;
    return this.#dependencies.mailboxes.ownerOf({
      email,
      admission: null,
      name: displayName(flow.profile.name),
      client,
      by: 'provider',
      hold: this.#holding(flow),
      equip: this.#linking(opened),
      refusal: invalidCredentials(),
    });
  }

  #holding(flow: ProvenFlow) {
    return async (tx: UserTransaction): Promise<void> => {
      if (!(await this.#dependencies.flows.hold(tx, flow.id))) throw invalidTicket();
    };
  }

  #linking({ flow: { id }, client }: OpenedTicket) {
    return (tx: UserTransaction): Promise<void> =>
      this.#dependencies.signInIdentities.linkToNewcomer(tx, id, client);
  }
}
