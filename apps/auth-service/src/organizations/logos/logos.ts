import { createHash } from 'node:crypto';
import type { Asking } from '@tenantry/fair-shares';
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
  /** The change to none. */
  readonly without = {
    logo: null,
    alongside: (tx) => this.#repository.remove(tx),
  } satisfies WantedChange;

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
    const keep = await this.#draw(asking, file);
    await organizationChanges.update(context, keep);
    return { logo: keep.logo };
  }

  /** The change to a picture in base64, drawn like an upload: it is of another installation. @throws as {@link LogoPictures.draw} */
  drawn(organizationId: string, content: string) {
    return this.#draw({ organizationId }, Buffer.from(content, 'base64'));
  }

  async #draw(asking: Asking, file: Buffer) {
    const picture = await this.#pictures.draw(asking, file);
    const logo = createHash('sha256').update(picture.content).digest('hex');
    return { logo, alongside: (tx) => this.#repository.save(tx, picture) } satisfies WantedChange;
  }

  /** Removing none changes nothing. */
  async remove(context: MemberContext): Promise<void> {
    const { organizationChanges } = this.#dependencies;
    await organizationChanges.update(context, this.without);
  }
}
