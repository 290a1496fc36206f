/** What those who do something are called: other languages say the same. */
export const words = {
  unknown: 'Someone',
  gone: 'A former user',
  serviceAccount: (name: string | null) =>
    name === null ? 'A service account' : `${name} (service account)`,
  directory: (name: string | null) => (name === null ? 'A directory' : `The directory of ${name}`),
  operator: 'The operator',
  job: 'Tenantry',
  customer: 'A customer',
};

/** The words for actors in one language. */
export type ActorWords = typeof words;
