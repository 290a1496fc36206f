import {
  Archives,
  archiveTurns,
  measureTurns,
  type ArchivedFile,
  type ArchivedTenant,
} from '@tenantry/service/archive';
import { recordAudit } from '../../audit/index.ts';
import { countChange, type Ground, type MemberContext } from '../../ground/index.ts';
import { mailOwners, type Mail } from '../../mail/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Logos } from '../logos/logos.ts';
import { requirePermission } from '../members/member-rules.ts';
import { ExportsRepository } from './exports.repository.ts';
import { organizationArchive } from './organization-archive.repository.ts';

interface ExportsDependencies extends Pick<Ground, 'database' | 'limits' | 'now'> {
  readonly logos: Pick<Logos, 'find'>;
  readonly mail: Pick<Mail, 'outbox'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** The part of this service, and how it is named where operations are. */
export const exportedService = 'auth-service';
export const exportedName = organizationArchive.name;

/** A part that somebody is about to export. */
interface AskedExport {
  readonly service: string;
  /** Whether they only ask if they may. */
  readonly isCheck?: boolean | undefined;
}

/** Exports of all data of an organization, of which each service writes a part: this one counts them and tells of them. */
export class Exports {
  readonly #dependencies: ExportsDependencies;
  readonly #repository = new ExportsRepository();
  /** Of the part of this service. */
  readonly turns = archiveTurns();
  readonly measurements = measureTurns(this.turns);

  constructor(dependencies: ExportsDependencies) {
    this.#dependencies = dependencies;
  }

  /** What writes the part of this service. */
  archivesOf(migration: () => Promise<string>): Archives {
    return new Archives({ ...organizationArchive, service: exportedService, migration });
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#dependencies.now().getTime();
  }

  rowsOf(organizationId: string): ArchivedTenant {
    return this.#dependencies.database.within({ organizationId });
  }

  /** The logo as a file, if there is one. */
  async *logoOf(organizationId: string): AsyncGenerator<ArchivedFile> {
    const logo = await this.#dependencies.logos.find(organizationId);
    if (logo) yield { path: `logo.${logo.mediaType === 'image/png' ? 'png' : 'jpg'}`, bytes: logo.content };
  }

  /**
   * Notes that an owner begins to export a part. Owners are written to once an hour for each of them who exports, so that the parts
   * of one export are one letter. A check is refused like an export, and leaves nothing behind.
   *
   * @throws RATE_LIMITED for a third time within an hour; FORBIDDEN; UNAUTHENTICATED
   */
  async begin(context: MemberContext, { service, isCheck = false }: AskedExport): Promise<void> {
    const { limits, mail, now, sessions } = this.#dependencies;
    const { organizationId, actor } = context;
    const charge = { limiter: limits.organizationExports, key: `${organizationId}/${service}` };
    await countChange(charge, async () => {
      await sessions.callers.inOrganization(context, async (tx, role) => {
        requirePermission(role, 'organization:export');
        if (isCheck) return;
        const letter = await this.#repository.letter(tx, actor.userId, now());
        const target = { type: 'organization', id: organizationId };
        await recordAudit(tx, context, { action: 'organization.exported', target, details: { service } });
        if (!letter || letter.isTold) return;
        const { organizationName, by } = letter;
        await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
          return { to, template: 'organization-exported', data: { name, organizationName, by } };
        });
      });
      return { hasChanged: !isCheck };
    });
  }
}
