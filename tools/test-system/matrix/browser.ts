import { ownOrigin } from './origin.ts';
import type { Api, Person } from './people.ts';

const foreignOrigin = 'https://evil.example';

type Headers = Readonly<Record<string, string>>;

/** What a browser sends along by itself. */
const cookieOf = ({ session, device }: Person): Headers => ({
  cookie: `__Host-access=${session.token}; ${device}`,
});

/** What our own page sends. */
export async function fromOwnPage(api: Api, person: Person) {
  return { ...cookieOf(person), origin: ownOrigin, 'x-csrf-token': await csrfTokenOf(api, person) };
}

/** What a browser sends when another page makes it, by what is missing, with the code of the refusal. */
export async function fromOtherPages(
  api: Api,
  person: Person,
  stranger: Person,
): Promise<Readonly<Record<string, { headers: Headers; code: string }>>> {
  const own = await fromOwnPage(api, person);
  const cookies = cookieOf(person);
  const withoutOrigin = { ...cookies, 'x-csrf-token': own['x-csrf-token'] };
  const withoutToken = { ...cookies, origin: ownOrigin };
  const foreign = { ...own, 'x-csrf-token': await csrfTokenOf(api, stranger) };
  return {
    'another origin': { headers: { ...own, origin: foreignOrigin }, code: 'ORIGIN_NOT_ALLOWED' },
    'the origin of a sandbox': { headers: { ...own, origin: 'null' }, code: 'ORIGIN_NOT_ALLOWED' },
    'no origin': { headers: withoutOrigin, code: 'ORIGIN_NOT_ALLOWED' },
    'no CSRF token': { headers: withoutToken, code: 'CSRF_FAILED' },
    "another session's CSRF token": { headers: foreign, code: 'CSRF_FAILED' },
  };
}

/** What a browser without a session sends when another page makes it. */
export const anonymousFromOtherPages: Readonly<Record<string, Headers>> = {
  'another origin': { origin: foreignOrigin },
  'the origin of a sandbox': { origin: 'null' },
  'another site': { 'sec-fetch-site': 'cross-site' },
};

async function csrfTokenOf(api: Api, person: Person): Promise<string> {
  const { token } = await api.call<{ token: string }>('GET /api/auth/csrf', undefined, person);
  return token;
}
