/** The settings of an organization that its quotes use. */
export interface OrganizationSettings {
  /** Of the organization; empty while it is not known. */
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Percent, at most two decimals. */
  readonly vatRate: number;
  /** The prefix of quote numbers. */
  readonly numberPrefix: string;
  /** IANA. */
  readonly timeZone: string;
  /** Several lines. */
  readonly address: string;
  readonly vatNumber: string;
  /** SHA-256 of its logo, hexadecimal. The picture may still have to be fetched. */
  readonly logo?: string;
}
