import type { Static } from 'typebox';
import { withoutSession } from '../../database.ts';
import { byOperator, organizationNotFound, type Ground } from '../../ground/index.ts';
import type { Invitations } from '../invitations/invitations.ts';
import type { Logos } from '../logos/logos.ts';
import type { Memberships } from '../members/memberships.ts';
import type { OrganizationChanges } from '../organization-changes.ts';
import type { ImportBody } from './imports.schemas.ts';

interface ImportsDependencies extends Pick<Ground, 'database'> {
  readonly invitations: Pick<Invitations, 'prepare'>;
  readonly logos: Pick<Logos, 'drawn' | 'without'>;
  readonly memberships: Pick<Memberships, 'lock'>;
  readonly organizationChanges: Pick<OrganizationChanges, 'takeOver'>;
}

/** Takes over what an organization was in another installation. */
export class Imports {
  readonly #dependencies: ImportsDependencies;

  constructor(dependencies: ImportsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sets settings and logo, and prepares invitations for an owner to send. A repetition changes nothing.
   *
   * @returns how many invitations there are more
   * @throws NOT_FOUND; VALIDATION_ERROR for a setting or logo that is not possible here; QUOTA_EXCEEDED
   */
  async takeOver(
    organizationId: string,
    { settings, logo, people }: Static<typeof ImportBody>,
  ): Promise<number> {
    const { database, invitations, logos, memberships, organizationChanges } = this.#dependencies;
    const drawn = typeof logo === 'string' ? await logos.drawn(organizationId, logo) : logo;
    return withoutSession('operator', database.within({ organizationId }), async (tx) => {
      if (!(await memberships.lock(tx))) throw organizationNotFound();
      await organizationChanges.takeOver(
        tx,
        { ...byOperator, organizationId },
        { settings, ...(drawn === null ? logos.without : drawn) },
      );
      return invitations.prepare(tx, byOperator, people);
    });
  }
}
