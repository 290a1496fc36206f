import { SoftwareAuthenticator } from '@tenantry/test-kit';
import { ownOrigin } from './origin.ts';
import type { Api, Person } from './people.ts';

/** What an authenticator answers to the options of a person, and the authenticator. */
export async function newPasskey(api: Api, person: Person) {
  const authenticator = new SoftwareAuthenticator({ rpId: new URL(ownOrigin).hostname, origin: ownOrigin });
  const { options } = await api.call<{ options: { challenge: string; user: { id: string } } }>(
    'POST /api/auth/passkeys/options',
    {},
    person,
  );
  return { authenticator, response: authenticator.create(options) };
}

/** Somebody who has a passkey. */
export async function withPasskey(api: Api) {
  const person = await api.signUp();
  const { authenticator, response } = await newPasskey(api, person);
  const { passkey } = await api.call<{ passkey: { id: string } }>(
    'POST /api/auth/passkeys',
    { response },
    person,
  );
  return { person, authenticator, id: passkey.id };
}

/** What the authenticator of somebody's passkey answers to their session. */
export async function askedPasskey(api: Api, person: Person, authenticator: SoftwareAuthenticator) {
  const { options } = await api.call<{ options: { challenge: string } }>(
    'POST /api/auth/two-factor/passkey/options',
    {},
    person,
  );
  return authenticator.get(options);
}
