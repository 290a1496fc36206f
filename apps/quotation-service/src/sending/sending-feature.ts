import type { BusinessParts } from '@tenantry/service/business';
import { createMailTransport } from '@tenantry/service/mail';
import { DueWork, Outbox, type BackgroundWork } from '@tenantry/service/work';
import type { peerSettings } from '@tenantry/service/peers';
import { leadTeller } from '../customers/leads.ts';
import type { Logos } from '../logos/logos.ts';
import type { QuotePdfs } from '../quote-pdfs/quote-pdfs.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { OwnSettings } from '../settings/own-settings.ts';
import { DecisionNotices } from './decision-notices.ts';
import { LetterBudget } from './letter-budget.ts';
import { LetterBudgetRepository } from './letter-budget.repository.ts';
import { Letters, type LettersOptions } from './letters.ts';
import { Sending, type QuoteMessages, type SendingOptions } from './sending.ts';
import { SentQuoteRepository } from './sent-quotes.repository.ts';

/** Dependencies of the feature. */
export interface SendingFeatureOptions
  extends Pick<SendingOptions, 'locked' | 'links' | 'audit'>, Pick<LettersOptions, 'decisions' | 'members'> {
  readonly parts: Pick<BusinessParts<OwnSettings & typeof peerSettings>, 'config' | 'database' | 'logger'>;
  readonly quotes: Quotes;
  readonly logos: Logos;
  readonly quotePdfs: QuotePdfs;
}

/** Letters in parallel: most of them wait for a mail server. */
const concurrency = 8;

/** Composes the feature, with the work that delivers mail. */
export function createSendingFeature({
  parts: { config, database, logger },
  ...options
}: SendingFeatureOptions) {
  const outbox = new Outbox<QuoteMessages>();
  const transport = createMailTransport({
    smtpUrl: config.SMTP_URL,
    directory: config.MAIL_DIRECTORY,
    from: config.MAIL_FROM,
    concurrency,
  });
  const language = config.DEFAULT_LANGUAGE;
  const budget = new LetterBudget(new LetterBudgetRepository(), {
    recipient: config.RATE_LIMIT_QUOTE_MAIL_PER_RECIPIENT_PER_DAY,
    sender: config.RATE_LIMIT_QUOTE_MAIL_PER_USER_PER_DAY,
    organization: config.RATE_LIMIT_QUOTE_MAIL_PER_ORGANIZATION_PER_DAY,
  });
  const sending = new Sending({ ...options, repository: new SentQuoteRepository(), outbox });
  const letters = new Letters({ ...options, budget, transport, logger, language });
  const notices = new DecisionNotices({
    ...options,
    outbox,
    transport,
    language,
    frontendUrl: config.FRONTEND_URL,
  });
  const worker = new DueWork({
    database,
    logger,
    connectionString: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    kinds: {
      outbox: outbox.delivery({
        'quote-mail': (...letter: Parameters<Letters['deliver']>) => letters.deliver(...letter),
        'answer-mail': (...notice: Parameters<DecisionNotices['deliver']>) => notices.deliver(...notice),
        'quote-accepted': leadTeller(config),
      }),
      logo: { work: (...due: Parameters<Logos['fetch']>) => options.logos.fetch(...due) },
    },
    concurrency,
    perOrganizationMax: concurrency / 4,
    // Enough for a PDF of 200 pages that waits for its turn, and then a slow mail server.
    timeoutSeconds: 90,
    leaseSeconds: 120,
  });
  const background = {
    start: () => worker.start(),
    measurements: [...worker.measurements, ...transport.measurements],
    async close(): Promise<void> {
      await worker.close();
      await transport.close();
    },
  } satisfies BackgroundWork;
  return { sending, notices, outbox, background };
}
