import { recordAudit } from '../../audit/index.ts';
import { withoutSession, type OrganizationTransaction } from '../../database.ts';
import { RepeatedWork, type Ground } from '../../ground/index.ts';
import { mailOwners, type Mail } from '../../mail/index.ts';
import type { Memberships } from '../members/memberships.ts';
import type { SsoRequirement } from '../sso-requirement/sso-requirement.ts';
import { recordName } from './domain-names.ts';
import type { DomainRecords, RecordFinding } from './domain-records.ts';
import { readingIntervalMs, type Domains } from './domains.ts';
import { ReadingsRepository, type DueReading } from './readings.repository.ts';

interface ReadingsDependencies extends Pick<Ground, 'database' | 'logger' | 'now'> {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly memberships: Pick<Memberships, 'lock'>;
  readonly records: Pick<DomainRecords, 'read'>;
  readonly domains: Pick<Domains, 'proven'>;
  readonly ssoRequirement: Pick<SsoRequirement, 'fallAway'>;
}

const hourMs = 60 * 60 * 1_000;
const intervalMs = 10 * 60 * 1_000;
/** How long a domain counts whose servers do not answer. */
const unreadableMs = 7 * readingIntervalMs;
const byJob = { actor: { kind: 'job', name: 'domain-readings' }, client: null } as const;

/**
 * Reads the records of proven domains again, each once a day. Owners are told when one is missing; missing for the third time in
 * a row, its domain is suspended. A failure to read says nothing of the record: it is tried again in an hour, and counts as a
 * miss once nothing was read for a week, since a domain that was given up may have servers that fail for ever.
 */
export class Readings {
  /** As the service starts, and every ten minutes. */
  readonly work: RepeatedWork;
  readonly #dependencies: ReadingsDependencies;
  readonly #repository = new ReadingsRepository();

  constructor(dependencies: ReadingsDependencies) {
    this.#dependencies = dependencies;
    this.work = new RepeatedWork({
      name: 'read domains again',
      intervalMs,
      atStart: true,
      logger: dependencies.logger,
      run: async (ending) => {
        while (!ending.aborted && (await this.readSome())) continue;
      },
    });
  }

  /** Reads some that are due, one of each organization. @returns whether there may be more */
  async readSome(): Promise<boolean> {
    const { database, logger, now } = this.#dependencies;
    const at = now();
    const leasedUntil = new Date(at.getTime() + hourMs);
    const due = await this.#repository.takeDue(database.unscoped, { at, leasedUntil });
    await Promise.all(
      due.map((reading) =>
        this.#read(reading, leasedUntil).catch((error: unknown) => {
          const { organizationId: organization, domain } = reading;
          logger.warn({ err: error, organization, domain }, 'a domain was not read again');
        }),
      ),
    );
    return due.length > 0;
  }

  async #read(reading: DueReading, leasedUntil: Date): Promise<void> {
    const { database, records } = this.#dependencies;
    const { organizationId, domain } = reading;
    const rows = database.within({ organizationId });
    const wanted = await this.#repository.find(rows, domain);
    if (!wanted) return;
    const finding = await records.read({ work: 'daily readings' }, wanted);
    await withoutSession('maintenance', rows, (tx) => this.#store(tx, { ...reading, leasedUntil, finding }));
  }

  async #store(tx: OrganizationTransaction, { finding, ...reading }: Finding): Promise<void> {
    const { memberships, now } = this.#dependencies;
    if (!(await memberships.lock(tx))) return;
    const at = now();
    const dueAt = new Date(at.getTime() + readingIntervalMs);
    if (finding === 'found') return this.#repository.found(tx, { ...reading, readAt: at, dueAt });
    const isUnreadable = finding === 'unreadable';
    if (isUnreadable && at.getTime() - reading.readAt.getTime() < unreadableMs) return;
    // What was not read was last read when it was: the next failure counts too.
    const readAt = isUnreadable ? reading.readAt : at;
    const misses = await this.#repository.missed(tx, { ...reading, readAt, dueAt });
    if (misses === 1 || misses === 3) await this.#tell(tx, { ...reading, isSuspended: misses === 3 });
  }

  async #tell(
    tx: OrganizationTransaction,
    {
      organizationId,
      domain,
      isSuspended,
    }: Pick<DueReading, 'organizationId' | 'domain'> & { isSuspended: boolean },
  ): Promise<void> {
    const { mail } = this.#dependencies;
    const told = await this.#repository.find(tx, domain);
    if (!told) return;
    const { id, organizationName, challenge: value } = told;
    const target = { type: 'domain', id, name: domain };
    if (isSuspended) await recordAudit(tx, byJob, { action: 'domain.suspended', target });
    const record = { name: recordName(domain), value };
    const template = isSuspended ? 'domain-suspended' : 'domain-record-missing';
    await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
      return { to, template, data: { name, organizationName, domain, record } };
    });
    if (isSuspended) await this.#releaseMembers(tx, organizationId);
  }

  /** Without a domain nobody but owners would get in where single sign-on is required. */
  async #releaseMembers(tx: OrganizationTransaction, organizationId: string): Promise<void> {
    const { domains, ssoRequirement } = this.#dependencies;
    if ((await domains.proven(tx)).length > 0) return;
    await ssoRequirement.fallAway(tx, { ...byJob, organizationId }, { isTold: true });
  }
}

/** What was found of a domain that was due. */
interface Finding extends DueReading {
  readonly leasedUntil: Date;
  readonly finding: RecordFinding;
}
