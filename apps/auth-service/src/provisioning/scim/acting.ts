import { recordAudit } from '../../audit/index.ts';
import { withoutSession, type OrganizationTransaction } from '../../database.ts';
import type { Client, Ground, OrganizationContext } from '../../ground/index.ts';
import type { OrganizationsWing } from '../../organizations/index.ts';
import { tokenRefused, type Directory, type ScimTokens } from './scim-tokens.ts';

interface ActsDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly organizations: Pick<OrganizationsWing, 'memberships'>;
  readonly tokens: Pick<ScimTokens, 'hold'>;
}

/** A request of a directory. */
export interface Provision {
  readonly directory: Directory;
  readonly client: Client;
}

/** A request that holds its token, in the scope of its organization. */
export interface Acting extends Provision {
  readonly tx: OrganizationTransaction;
  readonly at: Date;
}

type Entry = Parameters<typeof recordAudit>[2];

/** What directories do, under their own name. */
export class Acts {
  readonly #dependencies: ActsDependencies;

  constructor(dependencies: ActsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The organization before users, as everything locks them: members, domains and tokens do not change meanwhile.
   *
   * @throws UNAUTHENTICATED
   */
  run<Result>(provision: Provision, work: (acting: Acting) => Promise<Result>): Promise<Result> {
    const { database, now, organizations, tokens } = this.#dependencies;
    const { organizationId } = provision.directory;
    return withoutSession('directory', database.within({ organizationId }), async (tx) => {
      if (!(await organizations.memberships.lock(tx))) throw tokenRefused();
      await tokens.hold(tx, provision.directory);
      return work({ ...provision, tx, at: now() });
    });
  }
}

/** The directory as an actor. */
export const contextOf = ({ directory, client }: Provision) =>
  ({
    actor: { kind: 'directory', name: directory.name },
    client,
    organizationId: directory.organizationId,
  }) as const satisfies OrganizationContext<{ readonly kind: 'directory'; readonly name: string }>;

/** Adds what a directory does to somebody, or to a group, to the trail of its organization. */
export async function record(
  acting: Acting,
  action: Entry['action'],
  target: NonNullable<Entry['target']>,
  more: Readonly<Record<string, string | null>> = {},
): Promise<void> {
  const details = { connection: acting.directory.connectionId, ...more };
  await recordAudit(acting.tx, contextOf(acting), { action, target, details });
}
