import { recordAudit } from '../../audit/index.ts';
import { countChange, type Ground, type MemberContext } from '../../ground/index.ts';
import { mailOwners, type Mail } from '../../mail/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { requirePermission } from '../members/member-rules.ts';
import { ExportsRepository } from './exports.repository.ts';

interface ExportsDependencies extends Pick<Ground, 'limits' | 'now'> {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** Exports of all data of an organization, of which each service writes a part: this one counts them and tells of them. */
export class Exports {
  readonly #dependencies: ExportsDependencies;
  readonly #repository = new ExportsRepository();

  constructor(dependencies: ExportsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Notes that an owner begins to export a part. Owners are written to once an hour for each of them who exports, so that the parts
   * of one export are one letter.
   *
   * @throws RATE_LIMITED for a third time within an hour; FORBIDDEN; UNAUTHENTICATED
   */
  async begin(context: MemberContext, service: string): Promise<void> {
    const { limits, mail, now, sessions } = this.#dependencies;
    const { organizationId, actor } = context;
    const charge = { limiter: limits.organizationExports, key: `${organizationId}/${service}` };
    await countChange(charge, async () => {
      await sessions.callers.inOrganization(context, async (tx, role) => {
        requirePermission(role, 'organization:export');
        const letter = await this.#repository.letter(tx, actor.userId, now());
        const target = { type: 'organization', id: organizationId };
        await recordAudit(tx, context, { action: 'organization.exported', target, details: { service } });
        if (!letter || letter.isTold) return;
        const { organizationName, by } = letter;
        await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
          return { to, template: 'organization-exported', data: { name, organizationName, by } };
        });
      });
      return { hasChanged: true };
    });
  }
}
