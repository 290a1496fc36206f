import { auditRoutes } from '@tenantry/service/audit';
import { defineBusinessService, suggestionsRoutes, usageRoutes } from '@tenantry/service/business';
import { peerSettings } from '@tenantry/service/peers';
import { fileWork, importRoutes, pastImportsChores, pastImportsRoutes } from '@tenantry/service/files';
import { RateLimits } from '@tenantry/service/rate-limits';
import { contractsRoutes } from './contracts/contracts.routes.ts';
import { customerSuggestions } from './customers/customers.repository.ts';
import { customersRoutes } from './customers/customers.routes.ts';
import { quotationArchive } from './archive/quotation-archive.repository.ts';
import { QuotationFiles } from './archive/quotation-files.ts';
import { customerFileSchemas, customerNoun } from './files/customer-files.schemas.ts';
import { customerImports } from './files/customer-imports.repository.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { decisionsRoutes } from './quotes/decisions.routes.ts';
import { offersRoutes } from './offers/offers.routes.ts';
import { createQuotationLimits } from './limits/quotation-limits.ts';
import { Pdfs } from './pdf/pdfs.ts';
import { quotePdfsRoutes } from './quote-pdfs/quote-pdfs.routes.ts';
import { LargeQuotes } from './quotes/large-quotes.ts';
import { quotesRoutes } from './quotes/quotes.routes.ts';
import { revisionsRoutes } from './quotes/revisions.routes.ts';
import { sendingRoutes } from './sending/sending.routes.ts';
import { ownSettings } from './settings/own-settings.ts';
import { StatisticsRepository } from './statistics/statistics.repository.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { Statistics } from './statistics/statistics.ts';
import { lineItemsRoutes } from './work-packages/line-items.routes.ts';
import { workPackagesRoutes } from './work-packages/work-packages.routes.ts';
import { copiesOf, draftsOf, offersOf } from './use-cases.ts';

/** The quotes of an organization, with their work packages and items. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry quotation',
  models: Prisma,
  archive: quotationArchive,
  prisma: (adapter) => new PrismaClient({ adapter }),
  settings: { ...ownSettings, ...peerSettings },
  features(parts) {
    const { config, logger, now } = parts;
    const known = copiesOf(parts);
    const drafts = draftsOf(parts, known);
    const { audit, reader, members, currentSettings } = known;
    const { customers, customerFiles, erasure, quotes, revisions, workPackages, lineItems } = drafts;
    const pdfs = new Pdfs({ threads: 2, waiting: 64, heapMegabytesMax: 128, logger });
    const made = offersOf(parts, { ...known, ...drafts, pdfs });
    const { quotePdfs, sending, decisions, contracts, offers, background } = made;
    const files = new QuotationFiles({ ...known, ...made, language: config.DEFAULT_LANGUAGE });
    const statistics = new Statistics(new StatisticsRepository(), now);
    const largeQuotes = new LargeQuotes();
    const rateLimits = new RateLimits({ redisUrl: config.REDIS_URL, logger });
    const limits = createQuotationLimits(rateLimits, config);
    return {
      routes: [
        (app) => quotesRoutes(app, { ...parts, quotes, decisions, contracts, largeQuotes, currentSettings }),
        (app) => workPackagesRoutes(app, { ...parts, workPackages }),
        (app) => lineItemsRoutes(app, { ...parts, lineItems }),
        (app) => decisionsRoutes(app, { ...parts, decisions, largeQuotes }),
        (app) => revisionsRoutes(app, { ...parts, revisions, currentSettings }),
        (app) => contractsRoutes(app, { ...parts, ...made, largeQuotes, limits }),
        (app) => quotePdfsRoutes(app, { ...parts, quotePdfs, limits }),
        (app) => sendingRoutes(app, { ...parts, sending, currentSettings, members }),
        (app) => offersRoutes(app, { offers, largeQuotes, limits }),
        (app) =>
          suggestionsRoutes(app, {
            ...parts,
            noun: 'customer',
            prefix: '/api/quotation/customers',
            access: 'quotes:read',
            statement: customerSuggestions,
          }),
        (app) =>
          importRoutes(app, { ...parts, ...customerFiles, ...customerFileSchemas, noun: customerNoun }),
        (app) =>
          pastImportsRoutes(app, { ...parts, noun: customerNoun, pastImports: customerFiles.pastImports }),
        (app) => customersRoutes(app, { ...parts, customers, erasure }),
        (app) => statisticsRoutes(app, { ...parts, statistics }),
        (app) => auditRoutes(app, { ...parts, audit, prefix: '/api/quotation', name: 'Quotation' }),
        (app) =>
          usageRoutes(app, { ...parts, prefix: '/api/quotation', name: 'Quotation', access: 'quotes:read' }),
      ],
      chores: { ...erasure.chores, ...pastImportsChores(customerImports) },
      archiveFiles: (tenant, asked) => files.of(tenant, asked),
      background: [
        reader,
        background,
        fileWork(customerFiles.spool, customerFiles.turns),
        {
          close: async () => rateLimits.close(),
          measurements: [...rateLimits.measurements, ...largeQuotes.measurements],
        },
      ],
      ...(rateLimits.check && { redisCheck: rateLimits.check }),
    };
  },
});
