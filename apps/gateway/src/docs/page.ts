/** The introduction above the operations, in Markdown. */
export const introduction = `
Requests that you try on this page go to this server, and do what they say.

1. **Create an account.** Open *auth: users*, then \`POST /api/auth/sign-up/email\`, put in your own address and password, and
   press *Execute*. You are signed in from then on: this browser keeps the session in cookies, and the
   page sends the CSRF token of the session with every change. Your first organization is made for you.
2. **Create a lead.** Open *leads*, then \`POST /api/leads\`, and execute what is filled in. \`GET /api/leads\` lists it.
3. **Create a quote.** Open *quotation: quotes*, then \`POST /api/quotation/quotes\`. Any id may be the \`customerId\`, such
   as your lead's.

After 15 minutes you get 401: \`POST /api/auth/refresh\` with an empty body continues the session.

A program signs in with \`POST /api/auth/sign-in/email\` and sends \`Authorization: Bearer <session.token>\`; it needs no
cookie and no CSRF token. To try a token here, put it in by *Authorize*.

An answer to a change may carry \`Consistency-Token\`. Send it with requests for lists of the same service that have to show
that change: without it a list may be a second old.

Every refusal has a \`code\` to decide by and a \`message\` for people; each operation lists its own with an example. The
business services answer in an envelope of \`data\`, \`error\` and \`meta\`; the operations of auth do not. Client code can be
generated from [openapi.json](/docs/openapi.json).
`.trim();

interface PageRequest {
  readonly method?: string;
  readonly headers: Record<string, string>;
}

/**
 * Runs in the page before each request that is tried there, so it cannot use anything outside of it. Writes with a cookie
 * session need its CSRF token.
 */
export async function withCsrfToken(request: PageRequest): Promise<PageRequest> {
  const { method = 'GET', headers } = request;
  if (['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase()) || 'Authorization' in headers) return request;
  const answer = await fetch('/api/auth/csrf');
  if (answer.ok) headers['X-CSRF-Token'] = ((await answer.json()) as { token: string }).token;
  return request;
}

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1f4b5f"/><path d="M4 4h8v2H9v6H7V6H4z" fill="#fff"/></svg>`;

export const style = `
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .title small, .swagger-ui .info hgroup .link { display: none; }
.swagger-ui .info .markdown { max-width: 80ch; }
.swagger-ui .scheme-container { box-shadow: none; padding: 0 0 16px; }
`;
