import {
  auditRoutes,
  createAudit,
  createEventReader,
  defineBusinessService,
  peerSettings,
} from '@tenantry/business-service';
import { createScheduleWork } from '@tenantry/outbox';
import { createRateLimits } from '@tenantry/service-kit/rate-limits';
import { quotationActions } from './audit/quotation-actions.ts';
import { createContractRepository } from './contracts/contracts.repository.ts';
import { contractsRoutes } from './contracts/contracts.routes.ts';
import { createContracts } from './contracts/contracts.ts';
import { createCustomerErasureRepository } from './customers/customer-erasure.repository.ts';
import { customerErasureRoutes } from './customers/customer-erasure.routes.ts';
import { CustomerErasure } from './customers/customer-erasure.ts';
import { customerSuggestionsRoutes } from './customers/customer-suggestions.routes.ts';
import { createCustomerRepository } from './customers/customers.repository.ts';
import { customersRoutes } from './customers/customers.routes.ts';
import { createCustomers } from './customers/customers.ts';
import { leadFinder } from './customers/leads.ts';
import type { Rows, Tenant } from './database.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { createDecisionRepository } from './quotes/decisions.repository.ts';
import { decisionsRoutes } from './quotes/decisions.routes.ts';
import { createDecisions } from './quotes/decisions.ts';
import { offersRoutes } from './offers/offers.routes.ts';
import { createOffers } from './offers/offers.ts';
import { createQuotationLimits } from './limits/quotation-limits.ts';
import { createFetchLogo } from './logos/fetch-logo.ts';
import { createLogosRepository } from './logos/logos.repository.ts';
import { createLogos } from './logos/logos.ts';
import { Copies } from './members/copies.ts';
import { createMembersRepository } from './members/members.repository.ts';
import { createPdfs } from './pdf/pdfs.ts';
import { LargeQuotes, type ReadLarge } from './quotes/large-quotes.ts';
import { createLockedQuotes } from './quotes/locked-quotes.ts';
import { sendQuoteRoutes } from './quotes/send-quote.routes.ts';
import { SendQuote } from './quotes/send-quote.ts';
import { quoteDocument } from './quotes/quote-document.ts';
import { createQuoteRepository } from './quotes/quotes.repository.ts';
import { quotesRoutes } from './quotes/quotes.routes.ts';
import { createQuotes } from './quotes/quotes.ts';
import { createRevisionRepository } from './quotes/revisions.repository.ts';
import { revisionsRoutes } from './quotes/revisions.routes.ts';
import { createRevisions } from './quotes/revisions.ts';
import { createWithCustomer } from './quotes/with-customer.ts';
import { createQuoteLinkRepository } from './sending/quote-links.repository.ts';
import { quoteTokens } from './sending/quote-links.ts';
import { createSendingFeature } from './sending/sending-feature.ts';
import { sendingRoutes } from './sending/sending.routes.ts';
import { ownSettings } from './settings/own-settings.ts';
import { createSettingsRepository } from './settings/settings.repository.ts';
import { createSettings } from './settings/settings.ts';
import { createStatisticsRepository } from './statistics/statistics.repository.ts';
import { statisticsRoutes } from './statistics/statistics.routes.ts';
import { createStatistics } from './statistics/statistics.ts';
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
  unscoped: {
    DueWork: 'names organizations and rows, for workers that are in no organization yet',
    OrganizationEnd: 'names organizations that were deleted, for workers that are in none',
    EventReader: 'where the reader of events stands',
    EventSubject: 'names ids alone, for a reader that is in no organization yet',
  },
  prisma: (adapter) => new PrismaClient({ adapter }),
  settings: { ...ownSettings, ...peerSettings },
  features(parts) {
    const { tenantOf, contextOf, isAnswered, config, database, logger, now } = parts;
    const audit = createAudit(quotationActions);
    const repository = createQuoteRepository();
    const revisionRepository = createRevisionRepository();
    const packageRepository = createWorkPackageRepository();
    const locked = createLockedQuotes(repository);
    const logos = createLogos({
      repository: createLogosRepository(),
      fetchLogo: createFetchLogo(config),
      schedule: createScheduleWork(),
    });
    const { DEFAULT_CURRENCY: defaultCurrency } = config;
    const settings = createSettings(createSettingsRepository(), { defaultCurrency, logos });
    const customerRepository = createCustomerRepository();
    const customers = createCustomers({
      repository: customerRepository,
      findLead: leadFinder({ url: config.LEADS_URL }),
      renameInDrafts: (tx, customer) => repository.renameCustomer(tx, customer),
      audit,
    });
    const erasure = new CustomerErasure({
      customers: customerRepository,
      repository: createCustomerErasureRepository(),
      ...{ schedule: createScheduleWork(), audit },
    });
    const withCustomer = createWithCustomer({ repository: revisionRepository, locked, customers });
    const shared = { locked, customers, withCustomer, settings, audit };
    const quotes = createQuotes({ repository, revisions: revisionRepository, ...shared });
    const revisions = createRevisions({ repository: revisionRepository, quotes: repository, ...shared });
    const largeQuotes = new LargeQuotes();
    const documentOf = (rows: Rows, id: string, readLarge: ReadLarge) => quotes.document(rows, id, readLarge);
    const decisionRepository = createDecisionRepository();
    const members = createMembersRepository();
    const statistics = createStatistics({ repository: createStatisticsRepository(), now });
    const workPackages = createWorkPackages({ repository: packageRepository, ...shared });
    const lineItems = createLineItems({
      repository: createLineItemRepository(),
      workPackages: packageRepository,
      ...shared,
    });
    // Version 2 keeps whether an address is proven, 3 forgets the names of users who were erased.
    const projection = { ...settings.projection, member: members, people: audit.people, version: 3 };
    const reader = createEventReader({ config, database, logger, projection });
    const copies = new Copies({ reader, settings, members });
    const rateLimits = createRateLimits({ redisUrl: config.REDIS_URL, logger });
    const limits = createQuotationLimits(rateLimits, config);
    const pdfs = createPdfs({ threads: 2, waiting: 64, heapMegabytesMax: 128, logger });
    const linkRepository = createQuoteLinkRepository();
    const { sending, answers, background } = createSendingFeature({
      ...{ parts, withCustomer, logos, pdfs, linkRepository, documentOf, audit },
      quoteOf: (tenant, id) => quotes.head(tenant, id),
      async standingOf(rows, id) {
        const { sentBy, supersededBy } = await quotes.head(rows, id);
        return { sentBy, supersededBy, decidedAt: (await decisionRepository.find(rows, id))?.decidedAt };
      },
      headOf: (rows, id) => quotes.documentHead(rows, id),
      decisionOf: (rows, id) => decisionRepository.find(rows, id),
      addressOf: (rows, userId) => members.addressOf(rows, userId),
    });
    const decisions = createDecisions({
      ...{ repository: decisionRepository, documentOf, uponAnswer: answers.uponAnswer },
      ...shared,
    });
    const contracts = createContracts({
      repository: createContractRepository(),
      decisions,
      documentOf,
      ...shared,
    });
    const offers = createOffers({
      async open(token) {
        const find = (tenant: Tenant, id: string) => linkRepository.find(tenant, id);
        const link = await parts.openLink({ tokens: quoteTokens, token, find });
        return link && { tenant: link.tenant, ...link.row };
      },
      markOpened: (tenant, linkId, at) => linkRepository.markOpened(tenant, linkId, at),
      async read(tenant, id, readLarge) {
        const quote = await quotes.get(tenant, id, readLarge);
        const document = quoteDocument(quote, await settings.current(tenant));
        const logo = await logos.find(tenant, document.seller.logo);
        return { document, logo, superseded: quote.supersededBy !== null };
      },
      ...{ decisions, now },
    });
    const sendQuote = new SendQuote({ repository, logos, ...shared, putLetter: sending.putLetter });
    return {
      routes: [
        (app) =>
          quotesRoutes(app, { quotes, decisions, largeQuotes, copies, isAnswered, tenantOf, contextOf, now }),
        (app) => workPackagesRoutes(app, { workPackages, contextOf }),
        (app) => lineItemsRoutes(app, { lineItems, contextOf }),
        (app) => sendQuoteRoutes(app, { sendQuote, copies, isAnswered, tenantOf, contextOf, now }),
        (app) => decisionsRoutes(app, { decisions, largeQuotes, contextOf }),
        (app) => revisionsRoutes(app, { revisions, copies, isAnswered, tenantOf, contextOf }),
        (app) => contractsRoutes(app, { contracts, largeQuotes, tenantOf, contextOf }),
        (app) => sendingRoutes(app, { sending, limits, tenantOf, contextOf, copies, isAnswered }),
        (app) => offersRoutes(app, { offers, pdfs, largeQuotes, limits }),
        (app) => customerSuggestionsRoutes(app, { tenantOf }),
        (app) => customersRoutes(app, { customers, tenantOf, contextOf }),
        (app) => customerErasureRoutes(app, { erasure, contextOf }),
        (app) => statisticsRoutes(app, { statistics, tenantOf }),
        (app) => auditRoutes(app, { audit, tenantOf, prefix: '/api/quotation', name: 'Quotation' }),
      ],
      chores: erasure.chores,
      background: [
        reader,
        background,
        {
          start: () => undefined,
          close: async () => rateLimits.close(),
          measurements: [...rateLimits.measurements, ...largeQuotes.measurements],
        },
      ],
      ...(rateLimits.check && { redisCheck: rateLimits.check }),
    };
  },
});
