import { auditRoutes, createAudit, defineBusinessService } from '@tenantry/business-service';
import { quotationActions } from './audit/quotation-actions.ts';
import { createCustomerRepository } from './customers/customers.repository.ts';
import { customersRoutes } from './customers/customers.routes.ts';
import { createCustomers } from './customers/customers.ts';
import { leadFinder } from './customers/leads.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { createLockedQuotes } from './quotes/locked-quotes.ts';
import { movesRoutes } from './quotes/moves.routes.ts';
import { createMoves } from './quotes/moves.ts';
import { createQuoteRepository } from './quotes/quotes.repository.ts';
import { quotesRoutes } from './quotes/quotes.routes.ts';
import { createQuotes } from './quotes/quotes.ts';
import { ownSettings } from './settings/own-settings.ts';
import { createSettingsRepository } from './settings/settings.repository.ts';
import { createSettings } from './settings/settings.ts';
import { createLineItemRepository } from './work-packages/line-items.repository.ts';
import { lineItemsRoutes } from './work-packages/line-items.routes.ts';
import { createLineItems } from './work-packages/line-items.ts';
import { createWorkPackageRepository } from './work-packages/work-packages.repository.ts';
import { workPackagesRoutes } from './work-packages/work-packages.routes.ts';
import { createWorkPackages } from './work-packages/work-packages.ts';

/** The quotes of an organization, with their work packages and items. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry quotation',
  models: Prisma,
  unscoped: { DueWork: 'names organizations and rows, for workers that are in no organization yet' },
  prisma: (adapter) => new PrismaClient({ adapter }),
  settings: ownSettings,
  features({ tenantOf, config, now }) {
    const audit = createAudit(quotationActions);
    const quoteRepository = createQuoteRepository();
    const packageRepository = createWorkPackageRepository();
    const locked = createLockedQuotes(quoteRepository);
    const settings = createSettings(createSettingsRepository(), { defaultCurrency: config.DEFAULT_CURRENCY });
    const customers = createCustomers({
      repository: createCustomerRepository(),
      findLead: leadFinder({ url: config.LEADS_URL }),
      renameInDrafts: (tx, customer) => quoteRepository.renameCustomer(tx, customer),
      audit,
    });
    const quotes = createQuotes({ repository: quoteRepository, customers, settings, audit, now });
    const workPackages = createWorkPackages({ repository: packageRepository, locked, audit });
    const lineItems = createLineItems({
      repository: createLineItemRepository(),
      workPackages: packageRepository,
      locked,
      audit,
    });
    const moves = createMoves({ repository: quoteRepository, locked, settings, audit, now });
    return {
      routes: [
        (app) => quotesRoutes(app, { quotes, tenantOf, now }),
        (app) => workPackagesRoutes(app, { workPackages, tenantOf }),
        (app) => lineItemsRoutes(app, { lineItems, tenantOf }),
        (app) => movesRoutes(app, { moves, tenantOf, now }),
        (app) => customersRoutes(app, { customers, tenantOf }),
        (app) => auditRoutes(app, { audit, tenantOf, prefix: '/api/quotation' }),
      ],
    };
  },
});
