import { changesNothing, preconditionFailed, type Precondition } from '@tenantry/service/resources';
import { retryOnContention } from '@tenantry/service/failures';
import type { Context, Rows } from '../database.ts';
import type { LeadAudit } from '../leads/lead.ts';
import {
  furtherMoves,
  movesWith,
  type FurtherMove,
  type LeadMoves,
  type LeadStatus,
} from '../leads/lead-status.ts';
import {
  defaultLeadSettings,
  type LeadSettingsFields,
  type OrganizationLeadSettings,
} from './organization-lead-settings.ts';
import type { LeadSettingsRepository } from './lead-settings.repository.ts';

/** The settings have changed since the client read them (RFC 9110, 13.1.1). */
export const settingsChanged = () => preconditionFailed('setting');

export interface LeadSettingsOptions {
  readonly repository: LeadSettingsRepository;
  readonly audit: LeadAudit;
}

/** The settings of organizations about their leads. */
export class LeadSettings {
  readonly #options: LeadSettingsOptions;

  constructor(options: LeadSettingsOptions) {
    this.#options = options;
  }

  async get(rows: Rows): Promise<OrganizationLeadSettings> {
    return (await this.#options.repository.find(rows)) ?? defaultLeadSettings;
  }

  /** The moves that leads of the organization may make. In a transaction they are those that were committed before. */
  async moves(rows: Rows): Promise<LeadMoves> {
    const settings = await this.get(rows);
    return movesWith(settings.furtherMoves);
  }

  /** Whether accepted quotes move a lead of the organization from where it stands to won. */
  async mayWinByQuote(rows: Rows, from: LeadStatus): Promise<boolean> {
    const { furtherMoves: allowed, acceptedQuoteMovesLead } = await this.get(rows);
    return acceptedQuoteMovesLead && movesWith(allowed).allows(from, 'won');
  }

  /** Changes some of the settings; absent ones are unchanged. Leads stay where they are. */
  change(
    { tenant, actor }: Context,
    accepts: Precondition,
    { furtherMoves: asked, ...changes }: Partial<LeadSettingsFields>,
  ): Promise<OrganizationLeadSettings> {
    const { repository, audit } = this.#options;
    const given = { ...changes, ...(asked && { furtherMoves: inOrder(asked) }) };
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const before = await repository.lock(tx);
        if (!accepts(before.version)) throw settingsChanged();
        if (changesNothing(before, given)) return before;
        const after = await repository.update(tx, { ...before, ...given });
        await audit.recordChange(tx, {
          ...{ actor, action: 'lead.settings-changed', before, after },
          details: {
            allowed: after.furtherMoves.filter((move) => !before.furtherMoves.includes(move)),
            forbidden: before.furtherMoves.filter((move) => !after.furtherMoves.includes(move)),
          },
        });
        return after;
      }),
    );
  }
}

const inOrder = (asked: readonly FurtherMove[]) => furtherMoves.filter((move) => asked.includes(move));
