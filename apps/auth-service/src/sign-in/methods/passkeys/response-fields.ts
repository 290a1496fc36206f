/** The fields that are read of a credential, and of its authenticator's response. */
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
 * A preValidation hook: `toJSON()` of a credential has further fields that differ between browsers and are not needed. They are
 * removed before validation by the schema, which allows only those that are read.
 */
export function keepWhatIsRead({ body }: { body?: unknown }, _reply: unknown, done: () => void): void {
  if (isObject(body) && isObject(body['response'])) {
    const credential = only(body['response'], credentialFields);
    const isAttestation = isObject(credential['response']) && 'attestationObject' in credential['response'];
    if (isObject(credential['response'])) {
      credential['response'] = only(
        credential['response'],
        // Browsers add fields that repeat the attestation.
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
  // A user handle is null or empty where an authenticator names no user.
  const isEmpty = (name: string, value: unknown) => value === null || (name === 'userHandle' && value === '');
  const kept = Object.entries(fields).filter(
    ([name, value]) => names.includes(name) && !isEmpty(name, value),
  );
  return Object.fromEntries(kept);
}
