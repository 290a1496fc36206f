import { createHash } from 'node:crypto';
import { addressKeyOf, type Ground, type MemberContext } from '../../ground/index.ts';
import type { OrganizationChanges, WantedChange } from '../organization-changes.ts';
import { LogoPictures } from './logo-pictures.ts';
import { logoNotFound } from './logos.errors.ts';
import { LogosRepository, type Logo } from './logos.repository.ts';

interface LogosDependencies extends Pick<Ground, 'database'> {
  readonly organizationChanges: Pick<OrganizationChanges, 'update'>;
}

/** The logo of an organization: what its quotes show beside its name. */
export class Logos {
  readonly #dependencies: LogosDependencies;
  readonly #repository = new LogosRepository();
  readonly #pictures = new LogoPictures();
  readonly measurements = this.#pictures.measurements;

  constructor(dependencies: LogosDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NOT_FOUND */
  async get(organizationId: string): Promise<Logo> {
    const logo = await this.find(organizationId);
    if (!logo) throw logoNotFound();
    return logo;
  }

  find(organizationId: string): Promise<Logo | undefined> {
    return this.#repository.find(this.#dependencies.database.within({ organizationId }));
  }

  /** Keeps the picture as documents show it, not the file. @throws as {@link LogoPictures.draw} */
  async put(context: MemberContext, file: Buffer): Promise<{ readonly logo: string }> {
    const { organizationChanges } = this.#dependencies;
    const { organizationId, actor, client } = context;
    const asking = {
      organizationId,
      userId: actor.userId,
      address: client ? addressKeyOf(client) : undefined,
    };
    const picture = await this.#pictures.draw(asking, file);
    const logo = createHash('sha256').update(picture.content).digest('hex');
    const keep = { logo, alongside: (tx) => this.#repository.save(tx, picture) } satisfies WantedChange;
    await organizationChanges.update(context, keep);
    return { logo };
  }

  /** Removing none changes nothing. */
  async remove(context: MemberContext): Promise<void> {
    const { organizationChanges } = this.#dependencies;
    const remove = { logo: null, alongside: (tx) => this.#repository.remove(tx) } satisfies WantedChange;
    await organizationChanges.update(context, remove);
  }
}
