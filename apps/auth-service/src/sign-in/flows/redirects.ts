import { invalidField } from '@tenantry/envelope';
import type { Origins } from '@tenantry/service/browser';

/** Where sign-ins by a provider may end. */
interface AllowedRedirects {
  /** Pages of the front ends. */
  readonly origins: Origins;
  /** Of apps, which have no origin: compared as a whole. */
  readonly uris: readonly string[];
}

/**
 * The address to which a sign-in returns, as it is sent.
 *
 * @throws VALIDATION_ERROR where it is not allowed, has a fragment or names a user
 */
export function allowedRedirect(redirectTo: string, { origins, uris }: AllowedRedirects): string {
  if (uris.includes(redirectTo)) return redirectTo;
  const url = URL.canParse(redirectTo) ? new URL(redirectTo) : undefined;
  // Browsers parse it as serialized here, not as it was written. The origin of blob: is that of the page that made it.
  const isPage = url?.protocol === 'https:' || url?.protocol === 'http:';
  const isPlain = url?.username === '' && url.password === '' && !redirectTo.includes('#');
  if (isPage && isPlain && origins.has(url.origin)) return url.href;
  throw invalidField({
    field: 'redirectTo',
    rule: 'allowed',
    message: 'must be a page of the front end without a fragment, or be listed in REDIRECT_URIS',
  });
}

/** The page to which a browser returns, with the result in the fragment, which servers do not see. */
export function returnTo(redirectTo: string, fragment: Readonly<Record<string, string>>): string {
  return `${redirectTo}#${new URLSearchParams(fragment).toString()}`;
}
