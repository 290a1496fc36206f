import { createHash } from 'node:crypto';
import type { Ground, OrganizationContext } from '../../ground/index.ts';
import type { OrganizationChanges } from '../organization-changes.ts';
import type { Logo } from './logo.ts';
import { logoNotFound } from './logos.errors.ts';
import type { LogosRepository } from './logos.repository.ts';
import { readPicture } from './picture.ts';

/** The logo of an organization: what its quotes show beside its name. */
export interface Logos {
  /** @throws NOT_FOUND */
  get(organizationId: string): Promise<Logo>;
  /** @throws VALIDATION_ERROR for what is no picture that documents can show */
  put(context: OrganizationContext, content: Buffer): Promise<{ readonly logo: string }>;
  /** Removing none changes nothing. */
  remove(context: OrganizationContext): Promise<void>;
}

/** What the use cases of logos need. */
export interface LogosDependencies extends Pick<Ground, 'database'> {
  readonly repository: LogosRepository;
  readonly organizationChanges: Pick<OrganizationChanges, 'update'>;
}

/** Makes the use cases of logos. Quotes learn of a change like of any other of the organization. */
export function createLogos({ database, repository, organizationChanges }: LogosDependencies): Logos {
  return {
    async get(organizationId) {
      const logo = await repository.find(database.within({ organizationId }));
      if (!logo) throw logoNotFound();
      return logo;
    },

    async put(context, content) {
      const picture = await readPicture(content);
      const logo = createHash('sha256').update(content).digest('hex');
      const keep = { logo, alongside: (tx) => repository.save(tx, picture) } satisfies Change;
      await organizationChanges.update(context, keep);
      return { logo };
    },

    async remove(context) {
      const remove = { logo: null, alongside: (tx) => repository.remove(tx) } satisfies Change;
      await organizationChanges.update(context, remove);
    },
  };
}

type Change = Parameters<OrganizationChanges['update']>[1];
