/** A picture that an organization shows on its quotes, as auth-service has taken it: a PNG or a JPEG of bounded size. */
export interface Logo {
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly content: Uint8Array;
}
