/** An archive that is not imported, or of which a row is not: the message says why, for the operator. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}
