import type { EventReader } from '@tenantry/business-service';
import type { Tenant } from '../database.ts';
import type { Settings } from '../settings/settings.ts';
import { emailNotVerified, notArrived } from './copies.errors.ts';
import type { MembersRepository } from './members.repository.ts';

/** Dependencies of {@link Copies}. */
export interface CopiesOptions {
  readonly reader: Pick<EventReader, 'catchUp' | 'until'>;
  readonly settings: Pick<Settings, 'isKnown'>;
  readonly members: Pick<MembersRepository, 'find'>;
}

/** Timeout of catching up with auth-service; after that the existing copies are used. */
const catchUpMs = 500;
/** How long to wait for a missing copy. */
const arrivalMs = 2_000;

/**
 * Copies of data in auth-service, up to date with the caller's own changes. Call it before a transaction, which must not wait.
 */
export class Copies {
  readonly #options: CopiesOptions;

  constructor(options: CopiesOptions) {
    this.#options = options;
  }

  /**
   * Brings the settings of an organization up to date.
   *
   * @throws UPSTREAM_UNAVAILABLE if there are none yet
   */
  async arrive(tenant: Tenant): Promise<void> {
    const { reader, settings } = this.#options;
    await reader.catchUp(catchUpMs);
    if (!(await reader.until(() => settings.isKnown(tenant), arrivalMs))) throw notArrived();
  }

  /**
   * The same for sending mail, which requires a member with a confirmed address.
   *
   * @throws EMAIL_NOT_VERIFIED, UPSTREAM_UNAVAILABLE
   */
  async arriveToMail(tenant: Tenant, userId: string): Promise<void> {
    const { reader, members } = this.#options;
    await this.arrive(tenant);
    let member: Awaited<ReturnType<typeof members.find>>;
    const isThere = async () => (member = await members.find(tenant, userId)) !== undefined;
    if (!(await reader.until(isThere, arrivalMs))) throw notArrived();
    if (member?.isProven !== true) throw emailNotVerified();
  }
}
