declare module 'samlp' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Handler = (request: IncomingMessage, response: ServerResponse, next: (error: unknown) => void) => void;

  interface Signing {
    readonly issuer: string;
    readonly cert: string;
    readonly key: string;
  }

  interface AuthOptions extends Signing {
    readonly getUserFromRequest: () => unknown;
    readonly getPostURL: (
      audience: string,
      request: { readonly documentElement: { getAttribute(name: string): string } },
      asked: unknown,
      callback: (error: unknown, url: string) => void,
    ) => void;
    readonly profileMapper: (person: never) => unknown;
    readonly [option: string]: unknown;
  }

  export function auth(options: AuthOptions): Handler;
  export function metadata(
    options: Signing & { readonly redirectEndpointPath: string; readonly postEndpointPath: string },
  ): Handler;
  export function parseRequest(
    request: unknown,
    options: object,
    callback: (error: unknown, read?: Readonly<Record<string, string>>) => void,
  ): void;
}
