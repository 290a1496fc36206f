import { Type } from 'typebox';

const frontend = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^https?://[^?#\\s]+$',
      messages: { pattern: 'must be an http:// or https:// URL without a query' },
      description,
    }),
  );

/** The front ends that browsers may call from; http://localhost:5173 is one of them outside production. */
export const frontendSettings = {
  FRONTEND_URL: frontend(
    'URL of the web front end: its origin may call from a browser, and letters link to its pages',
  ),
  FRONTEND_STAGING_URL: frontend('URL of the staging web front end, whose origin may call from a browser'),
} as const;
