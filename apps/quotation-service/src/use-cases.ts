import { Audit } from '@tenantry/service/audit';
import type { BusinessParts } from '@tenantry/service/business';
import { EventReader } from '@tenantry/service/events';
import type { peerSettings } from '@tenantry/service/peers';
import type { KeptFields } from '@tenantry/service/resources';
import { scheduleWork, type BackgroundWork } from '@tenantry/service/work';
import { quotationActions } from './audit/quotation-actions.ts';
import { ContractPdfs } from './contracts/contract-pdfs.ts';
import { ContractRepository } from './contracts/contracts.repository.ts';
import { Contracts } from './contracts/contracts.ts';
import { CustomerBatchRepository } from './customers/customer-batches.repository.ts';
import { CustomerErasureRepository } from './customers/customer-erasure.repository.ts';
import { CustomerErasure } from './customers/customer-erasure.ts';
import { CustomerRepository } from './customers/customers.repository.ts';
import { CustomerChangesSchema } from './customers/customers.schemas.ts';
import { Customers } from './customers/customers.ts';
import { leadFinder } from './customers/leads.ts';
import type { Transaction } from './database.ts';
import { customerFilesOf } from './files/customer-files.ts';
import { forgetLeftOutRows } from './files/left-out-customers.repository.ts';
import { createFetchLogo } from './logos/fetch-logo.ts';
import { LogosRepository } from './logos/logos.repository.ts';
import { Logos } from './logos/logos.ts';
import { MembersRepository } from './members/members.repository.ts';
import { Members } from './members/members.ts';
import { Offers } from './offers/offers.ts';
import type { Pdfs } from './pdf/pdfs.ts';
import { QuotePdfs } from './quote-pdfs/quote-pdfs.ts';
import { DecisionRepository } from './quotes/decisions.repository.ts';
import { Decisions } from './quotes/decisions.ts';
import { LockedQuotes } from './quotes/locked-quotes.ts';
import { QuoteRepository } from './quotes/quotes.repository.ts';
import { QuoteChangesSchema } from './quotes/quotes.schemas.ts';
import { Quotes } from './quotes/quotes.ts';
import { RevisionRepository } from './quotes/revisions.repository.ts';
import { Revisions } from './quotes/revisions.ts';
import { QuoteLinkRepository } from './sending/quote-links.repository.ts';
import { QuoteLinks } from './sending/quote-links.ts';
import { createSendingFeature } from './sending/sending-feature.ts';
import { CurrentSettings } from './settings/current-settings.ts';
import type { OwnSettings } from './settings/own-settings.ts';
import { SettingsRepository } from './settings/settings.repository.ts';
import { Settings } from './settings/settings.ts';
import { LineItemRepository } from './work-packages/line-items.repository.ts';
import { LineItems } from './work-packages/line-items.ts';
import { WorkPackageRepository } from './work-packages/work-packages.repository.ts';
import { LineItemChangesSchema } from './work-packages/line-items.schemas.ts';
import { WorkPackageChangesSchema } from './work-packages/work-packages.schemas.ts';
import { WorkPackages } from './work-packages/work-packages.ts';

type Parts = BusinessParts<OwnSettings & typeof peerSettings>;

/** The trail records changes of what people may change, and of what comes with a customer. */
const auditedFields = new Set([
  ...Object.keys(QuoteChangesSchema.properties),
  ...['customerEmail', 'customerAddress', 'customerVatNumber'],
  ...Object.keys(CustomerChangesSchema.properties),
  ...Object.keys(WorkPackageChangesSchema.properties),
  ...Object.keys(LineItemChangesSchema.properties),
]);

/** A language is its customer's, and erased with them. */
const keptFields = {
  validUntil: 'moment',
  currency: 'code',
  vatRate: 'number',
  quantity: 'number',
  unitPrice: 'number',
} as const satisfies KeptFields;

/** Copies of data in auth-service, and the trail, from which erased users are removed. */
export function copiesOf({ config, database, logger }: Parts) {
  const audit = new Audit({ actions: quotationActions, fields: [...auditedFields], kept: keptFields });
  const repository = new MembersRepository();
  const logos = new Logos({
    repository: new LogosRepository(),
    fetchLogo: createFetchLogo(config),
    schedule: scheduleWork,
    logger,
  });
  const { DEFAULT_CURRENCY: defaultCurrency } = config;
  const settings = new Settings(new SettingsRepository(), { defaultCurrency, logos });
  // Version 2 stores whether an address is proven, version 3 removes the names of erased users.
  const projection = { organization: settings, member: repository, people: audit, version: 3 };
  const reader = new EventReader({ config, database, logger, projection });
  const isProofRequired = config.SENDING_REQUIRES_CONFIRMED_EMAIL ?? config.SMTP_URL !== undefined;
  const members = new Members({ reader, repository, isProofRequired });
  const currentSettings = new CurrentSettings({ reader, settings, logos });
  return { audit, members, logos, settings, currentSettings, reader };
}

/** Customers, and quotes until they are sent. */
export function draftsOf({ config }: Parts, { audit, settings }: ReturnType<typeof copiesOf>) {
  const repository = new QuoteRepository();
  const revisionRepository = new RevisionRepository();
  const packageRepository = new WorkPackageRepository();
  const customerRepository = new CustomerRepository();
  const renameInDrafts = (tx: Transaction, ids: readonly string[]) => repository.renameCustomers(tx, ids);
  const customers = new Customers({
    repository: customerRepository,
    findLead: leadFinder(config.LEADS_URL),
    renameInDrafts,
    audit,
  });
  const locked = new LockedQuotes(repository, customers);
  const shared = { locked, customers, settings, audit };
  return {
    ...shared,
    erasure: new CustomerErasure({
      customers: customerRepository,
      repository: new CustomerErasureRepository(),
      schedule: scheduleWork,
      audit,
      forgetLeftOutRows,
    }),
    customerFiles: customerFilesOf(config, {
      renameInDrafts,
      customers: new CustomerBatchRepository(),
      audit,
    }),
    quotes: new Quotes({ repository, revisions: revisionRepository, ...shared }),
    revisions: new Revisions({ repository: revisionRepository, quotes: repository, ...shared }),
    workPackages: new WorkPackages({ repository: packageRepository, ...shared }),
    lineItems: new LineItems({
      repository: new LineItemRepository(),
      workPackages: packageRepository,
      ...shared,
    }),
  };
}

/** Sent quotes: letters, links, decisions and contracts. */
export function offersOf(parts: Parts, given: OfferParts) {
  const { config, openLink, now } = parts;
  const decisionRepository = new DecisionRepository();
  const publicUrl = config.PUBLIC_URL ?? new URL(config.AUTH_URL).origin;
  const links = new QuoteLinks({ repository: new QuoteLinkRepository(), openLink, publicUrl });
  const quotePdfs = new QuotePdfs(given);
  const feature = createSendingFeature({ ...given, quotePdfs, parts, links, decisions: decisionRepository });
  const { sending, notices, outbox } = feature;
  const background: BackgroundWork = {
    ...feature.background,
    measurements: [...feature.background.measurements, ...given.pdfs.measurements],
    // A letter under way may still need its PDF.
    async close() {
      await feature.background.close();
      await given.pdfs.close();
    },
  };
  const decisions = new Decisions({ ...given, repository: decisionRepository, notices, outbox });
  const contracts = new Contracts({ ...given, repository: new ContractRepository(), decisions });
  const contractPdfs = new ContractPdfs({ ...given, contracts });
  const offers = new Offers({ ...given, links, decisions, quotePdfs, now });
  return { quotePdfs, sending, decisions, contracts, contractPdfs, offers, background };
}

interface OfferParts extends ReturnType<typeof copiesOf>, ReturnType<typeof draftsOf> {
  readonly pdfs: Pdfs;
}
