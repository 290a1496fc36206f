import { recordAudit } from '../audit/index.ts';
import type { OrganizationTransaction } from '../database.ts';
import type { OrganizationContext } from '../ground/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { ConnectionsRepository, type StoredConnection } from './connections.repository.ts';

interface ConnectionEndingsDependencies {
  readonly sessions: Pick<Sessions, 'endings'>;
}

/** Ends connections, with everything that they began, in a transaction in the scope of their organization. */
export class ConnectionEndings {
  readonly #dependencies: ConnectionEndingsDependencies;
  readonly #repository = new ConnectionsRepository();

  constructor(dependencies: ConnectionEndingsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Turns a connection off. */
  async disable(
    tx: OrganizationTransaction,
    context: OrganizationContext,
    { id, name }: Pick<StoredConnection, 'id' | 'name'>,
  ): Promise<void> {
    await this.#repository.disable(tx, { organizationId: context.organizationId, id });
    await this.endSessions(tx, { id });
    const target = { type: 'connection', id, name };
    await recordAudit(tx, context, { action: 'connection.disabled', target });
  }

  /** Ends what a connection that stays on has started: what it stood for no longer holds. */
  endSessions(tx: OrganizationTransaction, { id }: Pick<StoredConnection, 'id'>): Promise<void> {
    return this.#dependencies.sessions.endings.endSessionsOf(tx, { connectionId: id });
  }

  /** Deletes a connection, with who is who at its IdP. */
  async remove(
    tx: OrganizationTransaction,
    context: OrganizationContext,
    connection: StoredConnection,
  ): Promise<void> {
    const { id, name, enabledAt } = connection;
    if (enabledAt !== null) await this.disable(tx, context, connection);
    await this.#repository.remove(tx, id);
    const target = { type: 'connection', id, name };
    await recordAudit(tx, context, { action: 'connection.deleted', target });
  }

  /** Deletes all connections of the organization, which the transaction has locked. */
  async removeAll(tx: OrganizationTransaction, context: OrganizationContext): Promise<void> {
    for (const connection of await this.#repository.list(tx, null))
      await this.remove(tx, context, connection);
  }
}
