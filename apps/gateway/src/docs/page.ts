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
