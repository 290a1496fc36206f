import type { api } from '@tenantry/client';
import type { Values } from '../design/form.tsx';
import { languages } from '../design/language.ts';

/** What was entered about a letter; what was left empty is left out. */
export function letterOf({ text }: Values): api.SendQuote {
  const message = text('message').trim();
  const language = languages.find((known) => known === text('language'));
  return {
    recipientEmail: text('recipientEmail'),
    ...(message !== '' && { message }),
    ...(language && { language }),
  };
}
