import { ApiError } from '@tenantry/envelope';
import { AddressRefused } from '@tenantry/service/guarded';
import { recordAudit } from '../../audit/index.ts';
import { withoutSession, type OrganizationTransaction } from '../../database.ts';
import { RepeatedWork, type Ground } from '../../ground/index.ts';
import { mailOwners, type Mail } from '../../mail/index.ts';
import type { OrganizationsWing } from '../../organizations/index.ts';
import { ProviderFailure } from '../../sign-in/index.ts';
import { lastEnd } from './certificates.ts';
import {
  MetadataReadingsRepository,
  type DueConnection,
  type KnownConnection,
} from './metadata-readings.repository.ts';
import type { ReadMetadata, SamlSettings } from './saml-settings.ts';

interface MetadataReadingsDependencies extends Pick<Ground, 'database' | 'logger' | 'now'> {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly organizations: Pick<OrganizationsWing, 'memberships'>;
  readonly samlSettings: Pick<SamlSettings, 'read'>;
}

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const intervalMs = 10 * 60 * 1_000;
/** How long before its end the owners are told of the last certificate. */
const announcedMs = 14 * dayMs;
const byJob = { actor: { kind: 'job', name: 'saml-metadata' }, client: null } as const;

/**
 * Looks at each connection of SAML that is on once a day: its metadata is read again where it has an address, and owners are told two
 * weeks before the last certificate ends, once for each end. What cannot be read stays as it is, and is tried again in an hour.
 */
export class MetadataReadings {
  /** As the service starts, and every ten minutes. */
  readonly work: RepeatedWork;
  readonly #dependencies: MetadataReadingsDependencies;
  readonly #repository = new MetadataReadingsRepository();

  constructor(dependencies: MetadataReadingsDependencies) {
    this.#dependencies = dependencies;
    this.work = new RepeatedWork({
      name: 'read metadata of SAML again',
      intervalMs,
      atStart: true,
      logger: dependencies.logger,
      run: async (ending) => {
        while (!ending.aborted && (await this.readSome())) continue;
      },
    });
  }

  /** Looks at some that are due. @returns whether there may be more */
  async readSome(): Promise<boolean> {
    const { database, logger, now } = this.#dependencies;
    const at = now();
    const leasedUntil = new Date(at.getTime() + hourMs);
    const due = await this.#repository.takeDue(database.unscoped, { at, leasedUntil });
    await Promise.all(
      due.map((connection) =>
        this.#look(connection, leasedUntil).catch((error: unknown) => {
          const { organizationId: organization, id: connectionId } = connection;
          logger.warn({ err: error, organization, connectionId }, 'a connection of SAML was not looked at');
        }),
      ),
    );
    return due.length > 0;
  }

  async #look(due: DueConnection, leasedUntil: Date): Promise<void> {
    const { database, now } = this.#dependencies;
    const rows = database.within({ organizationId: due.organizationId });
    const known = await this.#repository.find(rows, due.id);
    if (!known) return;
    const read = known.metadataUrl === null ? undefined : await this.#read(due, known);
    await withoutSession('maintenance', rows, async (tx) => {
      if (!(await this.#dependencies.organizations.memberships.lock(tx))) return;
      if (read && read !== 'unread') await this.#store(tx, known, read);
      await this.#announce(tx, due);
      const dueAt = new Date(now().getTime() + dayMs);
      if (read !== 'unread') await this.#repository.postpone(tx, due, { leasedUntil, dueAt });
    });
  }

  /** What the IdP says of itself now, if it is still the same. */
  async #read(
    { id: connectionId }: DueConnection,
    { metadataUrl, issuer }: KnownConnection,
  ): Promise<ReadMetadata | 'unread'> {
    const { logger, samlSettings } = this.#dependencies;
    try {
      const read = await samlSettings.read({ work: 'daily readings' }, { metadataUrl: metadataUrl ?? '' });
      if (read.issuer === issuer) return read;
      throw new ProviderFailure('PROVIDER_REFUSED', 'entity-id');
    } catch (error) {
      const isKnown = error instanceof ProviderFailure || error instanceof AddressRefused;
      if (!isKnown && !(error instanceof ApiError)) throw error;
      const problem = error instanceof ProviderFailure ? error.problem : error.code;
      logger.warn({ connectionId, problem }, 'an identity provider could not be read again');
      return 'unread';
    }
  }

  async #store(
    tx: OrganizationTransaction,
    known: KnownConnection,
    { metadata }: ReadMetadata,
  ): Promise<void> {
    await this.#repository.store(tx, known, { metadata, at: this.#dependencies.now() });
    if (JSON.stringify(metadata) === JSON.stringify(known.metadata)) return;
    const target = { type: 'connection', id: known.id, name: known.name };
    await recordAudit(tx, byJob, {
      action: 'connection.updated',
      target,
      details: { changes: ['certificates'] },
    });
  }

  async #announce(tx: OrganizationTransaction, { organizationId, id }: DueConnection): Promise<void> {
    const { mail, now } = this.#dependencies;
    const known = await this.#repository.find(tx, id);
    if (!known) return;
    const { organizationName, announcedEnd, metadata } = known;
    const end = lastEnd(metadata.certificates);
    if (end.getTime() - now().getTime() > announcedMs || announcedEnd?.getTime() === end.getTime()) return;
    await this.#repository.announce(tx, id, end);
    await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
      const data = { name, organizationName, endsAt: end.toISOString() };
      return { to, template: 'certificate-ends', data };
    });
  }
}
