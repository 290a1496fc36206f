import type { EventReader } from '@tenantry/business-service';
import type { Tenant } from '../database.ts';
import type { Settings } from '../settings/settings.ts';
import { emailNotVerified, notArrived } from './copies.errors.ts';
import type { MembersRepository } from './members.repository.ts';

/** What the copies are looked at with. */
export interface CopiesOptions {
  readonly reader: Pick<EventReader, 'catchUp' | 'until'>;
  readonly settings: Pick<Settings, 'isKnown'>;
  readonly members: Pick<MembersRepository, 'find'>;
}

/** How long catching up with auth-service may take; after that the existing copies are used. */
const catchUpMs = 500;
/** How long a copy is waited for that is not there at all. */
const arrivalMs = 2_000;

/**
 * The copies of what auth-service knows, as a request needs them: as its caller has left them. Asked before a transaction, which
 * must not wait.
 */
export class Copies {
  readonly #options: CopiesOptions;

  constructor(options: CopiesOptions) {
    this.#options = options;
  }

  /**
   * Has the settings of an organization be those of its last change.
   *
   * @throws UPSTREAM_UNAVAILABLE when there are none yet
   */
  async arrive(tenant: Tenant): Promise<void> {
    const { reader, settings } = this.#options;
    await reader.catchUp(catchUpMs);
    if (!(await reader.until(() => settings.isKnown(tenant), arrivalMs))) throw notArrived();
  }

  /**
   * The same for mail to strangers, which only a member with a proven address may send.
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
