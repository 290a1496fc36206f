import type { Rows } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import { DomainsRepository } from './domains.repository.ts';

type DomainsDependencies = Pick<Ground, 'database'>;

/** Domains that organizations have proven to be theirs, by a record in the DNS. */
export class Domains {
  readonly #dependencies: DomainsDependencies;
  readonly #repository = new DomainsRepository();

  constructor(dependencies: DomainsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The domains that the scope's organization has proven and that are not suspended, in A-labels and lower case. */
  async proven(rows: Rows): Promise<string[]> {
    return (await this.#repository.proven(rows)).map(({ domain }) => domain);
  }

  /** The one organization for which {@link Domains.proven} has a domain; give it in A-labels and lower case. */
  organizationOf(domain: string): Promise<string | undefined> {
    return this.#repository.organizationOf(this.#dependencies.database.unscoped, domain);
  }
}
