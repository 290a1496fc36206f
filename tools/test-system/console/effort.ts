import type { BrowserContext } from 'playwright-core';

/** What a journey costs somebody: clicks, and keys besides text. And the API: its requests. */
export class Effort {
  readonly clicks: string[] = [];
  readonly keys: string[] = [];
  readonly requests: string[] = [];

  /** Counts from now on, in every page of a browser. */
  async countIn(context: BrowserContext): Promise<void> {
    context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) this.requests.push(`${request.method()} ${pathname}`);
    });
    await context.exposeBinding('tellEffort', (_page, kind: 'clicks' | 'keys', what: string) => {
      this[kind].push(what);
    });
    await context.addInitScript(`
      addEventListener('pointerdown', ({ target }) => tellEffort('clicks', target.textContent), true);
      addEventListener('keydown', ({ key }) => { if (key.length > 1) tellEffort('keys', key); }, true);
    `);
  }
}
