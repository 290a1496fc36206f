import { ExplainedError } from '@tenantry/dev-database';

/** The public API through the gateway, as one signed-in user sees it. */
export interface Api {
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body: object) => Promise<T>;
  put: <T>(path: string, body: object) => Promise<T>;
  patch: <T>(path: string, body: object) => Promise<T>;
  /** A PNG. */
  putPicture: (path: string, picture: Buffer) => Promise<void>;
  /** A form of a page, without a token; its answer is a redirect. */
  postForm: (path: string, fields: Readonly<Record<string, string>>) => Promise<void>;
  /** Undefined where the answer is 409 or 422: it is there already. */
  try: <T>(method: string, path: string, body: object) => Promise<T | undefined>;
  /** The same API with another token. */
  as: (token: string) => Api;
}

const alreadyThere = [409, 422];

/** A client of the gateway at the address; every refusal is an ExplainedError that quotes it. */
export function createApi(baseUrl: string, token?: string): Api {
  const sendAs = (
    type: string,
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(30_000),
    });
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    sendAs('application/json', method, path, body && JSON.stringify(body));
  const expectSuccess = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await send(method, path, body);
    if (response.ok) return (await response.json()) as T;
    throw await refusal(response, `${method} ${path}`);
  };
  return {
    get: (path) => expectSuccess('GET', path),
    post: (path, body) => expectSuccess('POST', path, body),
    put: (path, body) => expectSuccess('PUT', path, body),
    patch: (path, body) => expectSuccess('PATCH', path, body),
    async putPicture(path, picture) {
      const response = await sendAs('image/png', 'PUT', path, new Uint8Array(picture));
      if (!response.ok) throw await refusal(response, `PUT ${path}`);
    },
    async postForm(path, fields) {
      const response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      });
      if (response.status >= 400) throw await refusal(response, `POST ${path}`);
    },
    async try<T>(method: string, path: string, body: object) {
      const response = await send(method, path, body);
      if (response.ok) return (await response.json()) as T;
      if (alreadyThere.includes(response.status)) return undefined;
      throw await refusal(response, `${method} ${path}`);
    },
    as: (other) => createApi(baseUrl, other),
  };
}

async function refusal(response: Response, request: string): Promise<ExplainedError> {
  const answer = (await response.text()).slice(0, 500);
  const advice =
    response.status === 401
      ? ' The demo password in .tenantry/secrets.json is not the one the account was made with: npm start -- --fresh --demo starts over.'
      : '';
  return new ExplainedError(
    `The demo data could not be added: ${request} is ${response.status} ${answer}${advice}`,
  );
}
