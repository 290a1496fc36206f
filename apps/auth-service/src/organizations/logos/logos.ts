import { createHash } from 'node:crypto';
import type { Ground, OrganizationContext } from '../../ground/index.ts';
import type { OrganizationChanges, WantedChange } from '../organization-changes.ts';
import { logoNotFound } from './logos.errors.ts';
import { LogosRepository, type Logo } from './logos.repository.ts';
import { readPicture } from './picture.ts';

interface LogosDependencies extends Pick<Ground, 'database'> {
  readonly organizationChanges: Pick<OrganizationChanges, 'update'>;
}

/** The logo of an organization: what its quotes show beside its name. */
export class Logos {
  readonly #dependencies: LogosDependencies;
  readonly #repository = new LogosRepository();

  constructor(dependencies: LogosDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NOT_FOUND */
  async get(organizationId: string): Promise<Logo> {
    const { database } = this.#dependencies;
    const logo = await this.#repository.find(database.within({ organizationId }));
    if (!logo) throw logoNotFound();
    return logo;
  }

  /** @throws VALIDATION_ERROR for what is no picture that documents can show */
  async put(context: OrganizationContext, content: Buffer): Promise<{ readonly logo: string }> {
    const { organizationChanges } = this.#dependencies;
    const picture = await readPicture(content);
    const logo = createHash('sha256').update(content).digest('hex');
    const keep = { logo, alongside: (tx) => this.#repository.save(tx, picture) } satisfies WantedChange;
    await organizationChanges.update(context, keep);
    return { logo };
  }

  /** Removing none changes nothing. */
  async remove(context: OrganizationContext): Promise<void> {
    const { organizationChanges } = this.#dependencies;
    const remove = { logo: null, alongside: (tx) => this.#repository.remove(tx) } satisfies WantedChange;
    await organizationChanges.update(context, remove);
  }
}
