export { bindingClaim, bindingDigest, boundStanding, placeOf, sessionBindings } from './binding.ts';
export type { SessionBinding } from './binding.ts';
export { serveBrowsers, takeCookieSession } from './browser.plugin.ts';
export {
  cookieToken,
  csrfDigest,
  csrfDigestIn,
  csrfFailed,
  isCsrfToken,
  requireBound,
  sessionAddressChanged,
  sessionElsewhere,
} from './cookie-session.ts';
export type { BrowserRequest } from './cookie-session.ts';
// Brings request.cookies and reply.setCookie into the types of whatever imports this.
export type { CookieSerializeOptions } from '@fastify/cookie';
export { cookieNames, sessionCookies, setSessionCookie, takeCookies } from './cookies.ts';
export type { CookieReply, CookieToSet, SessionCookies } from './cookies.ts';
export { allowOrigins, isPreflight } from './cors.plugin.ts';
export { addressOf, browserId, deviceKey, productsOf, readDevice } from './device.ts';
export type { Device } from './device.ts';
export { allowedOrigins, isBrowser, originNotAllowed, originStanding } from './origins.ts';
export type { Origins } from './origins.ts';
