import type { api } from '@tenantry/client';
import { languages } from '../design/language.ts';

/** What was entered in a form. */
interface Entered {
  /** The text of a field, by its name. */
  readonly text: (field: string) => string;
}

/** What was entered about a letter; what was left empty is left out. */
export function letterOf({ text }: Entered): api.SendQuote {
  const message = text('message').trim();
  const language = languages.find((known) => known === text('language'));
  return {
    recipientEmail: text('recipientEmail'),
    ...(message !== '' && { message }),
    ...(language && { language }),
  };
}
