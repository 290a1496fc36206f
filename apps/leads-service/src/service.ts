import { auditRoutes, createAudit, defineBusinessService } from '@tenantry/business-service';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { leadActions } from './leads/lead-actions.ts';
import { createLeadHistoryRepository } from './leads/lead-history.repository.ts';
import { leadHistoryRoutes } from './leads/lead-history.routes.ts';
import { createLeadRepository } from './leads/leads.repository.ts';
import { leadsRoutes } from './leads/leads.routes.ts';
import { createLeads } from './leads/leads.ts';
import { createStatisticsRepository } from './statistics/statistics.repository.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { createStatistics } from './statistics/statistics.ts';

/** The leads of an organization: people and companies that may become its customers. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry leads',
  models: Prisma,
  unscoped: { DueWork: 'names organizations and rows, for workers that are in no organization yet' },
  prisma: (adapter) => new PrismaClient({ adapter }),
  features: ({ tenantOf, now }) => {
    const audit = createAudit(leadActions);
    const history = createLeadHistoryRepository();
    const leads = createLeads({ repository: createLeadRepository(), history, audit });
    const statistics = createStatistics({ repository: createStatisticsRepository(), now });
    return {
      routes: [
        (app) => leadsRoutes(app, { leads, tenantOf }),
        (app) => leadHistoryRoutes(app, { leads, tenantOf }),
        (app) => statisticsRoutes(app, { statistics, tenantOf }),
        (app) => auditRoutes(app, { audit, tenantOf, prefix: '/api/leads' }),
      ],
    };
  },
});
