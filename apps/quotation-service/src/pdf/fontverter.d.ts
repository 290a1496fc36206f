declare module 'fontverter' {
  /** Writes a font in another format, such as a compressed one as it is used. */
  export function convert(font: Uint8Array, format: 'truetype'): Promise<Buffer>;
}
