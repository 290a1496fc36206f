import { quotableCurrencies, quotableMessage } from '@tenantry/money';
import { spoolSettings } from '@tenantry/service/files';
import { settings } from '@tenantry/service/settings';
import { Type } from 'typebox';
import { languageCodes } from '../wording/languages.ts';

/** The settings of the quotation service beyond those of every business service. */
export const ownSettings = {
  ...settings.listenerSettings,
  ...spoolSettings,
  DEFAULT_CURRENCY: Type.String({
    pattern: `^(${quotableCurrencies.join('|')})$`,
    messages: { pattern: quotableMessage },
    default: 'SEK',
    description: 'ISO 4217 code for quotes of organizations that have chosen none',
  }),
  LEADS_URL: Type.String({
    pattern: '^https?://[^?#]*[^/?#]$',
    messages: {
      pattern: 'must be an http:// or https:// URL without a query and without a slash at its end',
    },
    developmentDefault: 'http://127.0.0.1:3001',
    description:
      "leads-service's own address: it names customers that are leads, and hears of accepted quotes",
  }),
  DEFAULT_LANGUAGE: Type.Enum([...languageCodes], {
    default: 'en',
    description: 'language of mailed quotes and their PDFs where none was chosen for the customer, en or sv',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+$',
      messages: { pattern: 'must be an http:// or https:// URL without a path' },
      description: 'public URL of the gateway, for links in e-mails; by default the origin of AUTH_URL',
    }),
  ),
  FRONTEND_URL: settings.frontendSettings.FRONTEND_URL,
  REDIS_URL: settings.redisUrl,
  RATE_LIMIT_PDFS_PER_MINUTE: settings.rateLimit(30, 'PDFs per user, and per link of a customer'),
  RATE_LIMIT_OFFERS_PER_MINUTE: settings.rateLimit(
    120,
    "requests for a customer's page per link, and with unknown links per client address",
  ),
  RATE_LIMIT_QUOTE_MAIL_PER_RECIPIENT_PER_DAY: settings.rateLimit(
    10,
    'quotes mailed to one recipient in the name of one organization in 24 hours',
  ),
  RATE_LIMIT_QUOTE_MAIL_PER_USER_PER_DAY: settings.rateLimit(
    200,
    'quotes mailed by one user in the name of one organization in 24 hours',
  ),
  RATE_LIMIT_QUOTE_MAIL_PER_ORGANIZATION_PER_DAY: settings.rateLimit(
    500,
    'quotes mailed in the name of one organization in 24 hours',
  ),
  SENDING_REQUIRES_CONFIRMED_EMAIL: Type.Optional(
    Type.Boolean({
      description:
        'whether only members with a confirmed address can mail quotes, true or false; by default true if SMTP_URL is set, since mail in files reaches nobody',
    }),
  ),
  ...settings.mailSettings,
};

/** These settings, as a type. */
export type OwnSettings = typeof ownSettings;
