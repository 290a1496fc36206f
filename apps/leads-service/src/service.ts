import { auditRoutes, Audit } from '@tenantry/service/audit';
import { defineBusinessService, suggestionsRoutes, usageRoutes } from '@tenantry/service/business';
import { EventReader } from '@tenantry/service/events';
import {
  fileWork,
  FileTurns,
  importedRowsMax,
  importRoutes,
  Imports,
  PastImports,
  pastImportsChores,
  pastImportsRoutes,
  spoolOf,
  tooManyRows,
  Uploads,
} from '@tenantry/service/files';
import { peerSettings } from '@tenantry/service/peers';
import { checkBy } from '@tenantry/service/validation';
import { daySeconds, scheduleWork } from '@tenantry/service/work';
import { readerOf } from '@tenantry/tables';
import { leadArchive } from './archive/lead-archive.repository.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { exportedColumns, LeadExports } from './files/lead-export.ts';
import { leadFields } from './files/lead-fields.ts';
import { aboutNamedColumns, leadExportRoutes, leadNoun } from './files/lead-files.routes.ts';
import { leadFileSchemas } from './files/lead-files.schemas.ts';
import { leadImports, undoLeads } from './files/lead-imports.repository.ts';
import { leadItems } from './files/lead-items.ts';
import { namedRows } from './files/lead-rows.ts';
import { AcceptedQuotes } from './leads/accepted-quotes.ts';
import { acceptedQuotesRoutes } from './leads/accepted-quotes.routes.ts';
import { deletedLeadsChores, purgeKind } from './leads/deleted-leads.ts';
import { LeadBatchRepository } from './leads/lead-batches.repository.ts';
import { LeadErasureRepository } from './leads/lead-erasure.repository.ts';
import { LeadHistoryRepository } from './leads/lead-history.repository.ts';
import { leadHistoryRoutes } from './leads/lead-history.routes.ts';
import { auditedFields, keptFields, leadActions, type NewLead } from './leads/lead.ts';
import type { LeadText } from './leads/lead-texts.ts';
import { leadSuggestions, LeadRepository } from './leads/leads.repository.ts';
import { leadsRoutes } from './leads/leads.routes.ts';
import { NewLeadSchema } from './leads/leads.schemas.ts';
import { Leads } from './leads/leads.ts';
import { ownSettings } from './own-settings.ts';
import { LeadSettingsRepository } from './settings/lead-settings.repository.ts';
import { leadSettingsRoutes } from './settings/lead-settings.routes.ts';
import { LeadSettings } from './settings/lead-settings.ts';
import { auditedSettings, keptSettings } from './settings/organization-lead-settings.ts';
import { StatisticsRepository } from './statistics/statistics.repository.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { Statistics } from './statistics/statistics.ts';

/** The leads of an organization: people and companies that may become its customers. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry leads',
  models: Prisma,
  archive: leadArchive,
  settings: { ...ownSettings, ...peerSettings },
  prisma: (adapter) => new PrismaClient({ adapter }),
  features(parts) {
    const { config, database, logger, now } = parts;
    const fields = [...auditedFields, ...auditedSettings];
    const audit = new Audit({ actions: leadActions, fields, kept: { ...keptFields, ...keptSettings } });
    const settings = new LeadSettings({ repository: new LeadSettingsRepository(), audit });
    const repository = new LeadRepository();
    const history = new LeadHistoryRepository();
    const erasure = new LeadErasureRepository();
    const leads = new Leads({
      repository,
      erasure,
      history,
      audit,
      scheduleWork,
      movesOf: (rows) => settings.moves(rows),
    });
    const acceptedQuotes = new AcceptedQuotes({
      repository,
      history,
      audit,
      mayWin: (rows, from) => settings.mayWinByQuote(rows, from),
    });
    const retentionDays = config.DELETED_LEADS_RETENTION_DAYS;
    const statistics = new Statistics(new StatisticsRepository(), now);
    const turns = new FileTurns('lead');
    const spool = spoolOf(config);
    const batches = new LeadBatchRepository();
    const leadExports = new LeadExports({ ...spool, leads: batches, turns: turns.work });
    const check = checkBy(NewLeadSchema, 'row');
    const files = readerOf<LeadText, NewLead>(
      { fields: leadFields, check, exported: exportedColumns },
      { one: leadNoun.one, rowsMax: importedRowsMax, tooManyRows },
    );
    const items = leadItems(batches, audit);
    const imports = new Imports({ items, imports: leadImports, scheduleWork });
    const pastImports = new PastImports({
      imports: leadImports,
      undo: undoLeads,
      recordUndoing: async (tx, actor, { undone, kept }) => {
        await audit.record(tx, { actor, action: 'lead.import-undone', details: { leads: undone, kept } });
        const { organizationId } = tx.scope;
        await scheduleWork(tx, { kind: purgeKind, id: organizationId, afterSeconds: daySeconds });
      },
    });
    const uploads = new Uploads({ ...spool, turns });
    return {
      routes: [
        (app) => leadsRoutes(app, { ...parts, leads }),
        (app) => leadSettingsRoutes(app, { ...parts, settings }),
        (app) =>
          acceptedQuotesRoutes(app, {
            acceptedQuotes,
            tenantOf: (organizationId) => database.within({ organizationId }),
          }),
        (app) => leadHistoryRoutes(app, { ...parts, leads }),
        (app) =>
          suggestionsRoutes(app, {
            ...parts,
            noun: 'lead',
            prefix: '/api/leads',
            access: 'leads:read',
            hasEmail: true,
            statement: leadSuggestions,
          }),
        (app) => statisticsRoutes(app, { ...parts, statistics }),
        (app) => leadExportRoutes(app, { ...parts, leadExports }),
        (app) =>
          importRoutes(app, {
            ...parts,
            ...leadFileSchemas,
            ...{ noun: leadNoun, imports, uploads, takesNamedColumns: true, about: aboutNamedColumns },
            describe: files.describe,
            rowsOf: (file, choices, isMapped) =>
              isMapped ? files.rowsOf(file, choices) : namedRows(file.bytes, check),
          }),
        (app) => pastImportsRoutes(app, { ...parts, noun: leadNoun, pastImports }),
        (app) => auditRoutes(app, { ...parts, audit, prefix: '/api/leads', name: 'Lead' }),
        (app) => usageRoutes(app, { ...parts, prefix: '/api/leads', name: 'Leads', access: 'leads:read' }),
      ],
      background: [
        fileWork(spool, turns),
        // Version 2 forgets the names of users who were erased.
        new EventReader({ config, database, logger, projection: { people: audit, version: 2 } }),
      ],
      chores: {
        ...deletedLeadsChores({ repository: erasure, audit, retentionDays }),
        ...pastImportsChores(leadImports),
      },
    };
  },
});
