import punycode from 'punycode.js';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const hostName = new RegExp(`^(?:${label}\\.)+${label}$`);
const aLabel = /(?:^|\.)xn--/i;
/** ASCII that no domain has. In a URL some of it would end the domain. */
const foreignAscii = /[\0-,/:-@[-`{-\x7f]/;
/** What a URL takes for an IPv4 address. */
const numeric = /\.(?:\d+|0x[\da-f]*)$/i;
/** Hyphens where IDNA allows none, in a label as it is shown. */
const strayHyphen = /(?:^|\.)(?:-|[^.]{2}--)|-(?:\.|$)/;

/**
 * Reads a domain as it is stored: that of an e-mail address, in ASCII. International labels become A-labels by UTS 46, not
 * transitional, as URLs have them (`müller-dach.example` is `xn--mller-dach-9db.example`); a plain domain stays as it is
 * written. Undefined if it is no domain.
 */
export function readDomain(text: string): string | undefined {
  if (hostName.test(text) && !aLabel.test(text)) return text;
  const domain = hostOf(text);
  if (domain === undefined || !hostName.test(domain) || numeric.test(domain)) return undefined;
  if (!aLabel.test(domain)) return domain;
  const written = decoded(domain);
  return written !== undefined && !strayHyphen.test(written) && hostOf(written) === domain
    ? domain
    : undefined;
}

/** Decodes the A-labels of a domain; undefined if one is no Punycode. */
export function decoded(domain: string): string | undefined {
  try {
    return punycode.toUnicode(domain);
  } catch {
    return undefined;
  }
}

/** The longest domain whose name fits in an address. */
const lengthMax = 254;

function hostOf(text: string): string | undefined {
  if (text.length > lengthMax || foreignAscii.test(text)) return undefined;
  const url = `http://${text}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
