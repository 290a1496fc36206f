import { invalidField } from '@tenantry/envelope';
import { readDomain } from '@tenantry/text';
import { getDomain, parse } from 'tldts';
import { freeMail } from './free-mail.ts';

/** The longest domain whose record has a name that the DNS can carry. */
const charactersMax = 230;

/**
 * Reads a domain that an organization says is its own, as addresses of accounts have it: in A-labels and lower case.
 *
 * @throws VALIDATION_ERROR for what is no domain; for one below which anybody registers their own (https://publicsuffix.org, its
 * private part too); for one of free mail, and what is below it
 */
export function readOwnDomain(text: string): string {
  const domain = readDomain(text.trim().replace(/\.$/, ''))?.toLowerCase();
  if (domain === undefined || domain.length > charactersMax || parse(domain).isIp === true) {
    throw refused('domain', 'must be a domain, such as example.com');
  }
  if (getDomain(domain, { allowPrivateDomains: true }) === null) {
    throw refused('publicSuffix', 'is one below which anybody can register a domain');
  }
  if (freeMail.has(getDomain(domain) ?? domain)) {
    throw refused('freeMail', 'is one in which anybody can get an address');
  }
  return domain;
}

const refused = (rule: string, message: string) => invalidField({ field: 'domain', rule, message });

/** The name of the record that proves a domain. */
export const recordName = (domain: string): string => `_tenantry-challenge.${domain}`;
