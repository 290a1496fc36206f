import {
  createTenantry,
  tokensInMemory,
  type PageOptions,
  type Tenantry,
  type TenantryError,
} from '@tenantry/client';
import { FakeApi } from './fake-api.ts';

/** A client of a page, and its API. */
export function page(options: PageOptions = {}): { readonly api: FakeApi; readonly tenantry: Tenantry } {
  const api = new FakeApi();
  return { api, tenantry: createTenantry({ fetch: api.fetch, ...options }) };
}

/** A client that keeps its tokens itself, and its API. */
export function program(options: Omit<PageOptions, 'baseUrl'> = {}) {
  const api = new FakeApi({ usesCookies: false });
  const { accessToken, refreshToken } = api.standing;
  const tokens = tokensInMemory({ accessToken, refreshToken });
  const tenantry = createTenantry({ baseUrl: 'http://page.example', tokens, fetch: api.fetch, ...options });
  return { api, tokens, tenantry };
}

/** What a call rejects with. */
export const rejection = (call: Promise<unknown>): Promise<TenantryError> =>
  call.then(
    () => Promise.reject(new Error('it did not reject')),
    (error: unknown) => error as TenantryError,
  );

export const id = '0192d3f4-6a7b-7c8d-9e0f-1a2b3c4d5e6f';
