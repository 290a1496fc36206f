/** The link that writes to an address: a `?` or `&` in the address begins no field of the letter (RFC 6068, 2). */
export const mailtoHref = (email: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
