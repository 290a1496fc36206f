/** A picture that an organization shows on its quotes. */
export interface Logo {
  readonly mediaType: LogoMediaType;
  readonly content: Buffer;
}

/** No SVG: it can hold scripts and load other files. */
export const logoMediaTypes = ['image/png', 'image/jpeg'] as const;
type LogoMediaType = (typeof logoMediaTypes)[number];

/** On either side, in pixels: more than 300 dots per inch of half a page. */
export const logoSideMax = 1_200;
