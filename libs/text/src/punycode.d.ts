declare module 'punycode.js' {
  const punycode: {
    /** A domain with its A-labels decoded; throws a RangeError where one is no Punycode. */
    toUnicode(domain: string): string;
  };
  export = punycode;
}
