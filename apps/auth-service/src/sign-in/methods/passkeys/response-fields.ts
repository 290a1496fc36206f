/** What is read of a credential, and of what its authenticator answered. */
const credentialFields = ['id', 'rawId', 'type', 'response'];
const answerFields = [
  'clientDataJSON',
  'attestationObject',
  'transports',
  'authenticatorData',
  'signature',
  'userHandle',
];

/**
 * A preValidation hook: `toJSON()` of a credential has fields that differ from browser to browser, and of which nothing depends.
 * They go before the schema is asked, which knows no others than those that are read.
 */
export function keepWhatIsRead({ body }: { body?: unknown }, _reply: unknown, done: () => void): void {
  if (isObject(body) && isObject(body['response'])) {
    const credential = only(body['response'], credentialFields);
    const isAttestation = isObject(credential['response']) && 'attestationObject' in credential['response'];
    if (isObject(credential['response'])) {
      credential['response'] = only(
        credential['response'],
        // A browser repeats what the attestation says.
        isAttestation ? answerFields.slice(0, 3) : answerFields.filter((name) => name !== 'transports'),
      );
    }
    body['response'] = credential;
  }
  done();
}

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function only(fields: Fields, names: readonly string[]): Fields {
  // A user handle may be null.
  const kept = Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== null);
  return Object.fromEntries(kept);
}
