import type { ComposedMail } from '@tenantry/outbox/mail';
import { draftOf, type Action } from './drafts.ts';
import type { Letter } from './letter.ts';

/** Writes a letter out. */
export type ComposeLetter = (letter: Letter) => ComposedMail;

/** Where the links lead. */
export interface TemplateOptions {
  /** AUTH_URL. */
  readonly authUrl: string;
  /** FRONTEND_URL: links lead to its pages; without it, letters say which request to make. */
  readonly frontendUrl?: string | undefined;
}

/** Makes {@link ComposeLetter}. Names are anyone's text: they are quoted, kept short and escaped in HTML. */
export function createTemplates(options: TemplateOptions): ComposeLetter {
  return (letter) => {
    const { subject, paragraphs, action } = draftOf(letter);
    const todo = action && instructionOf(action, options);
    const text = [...paragraphs, ...(todo ? [todo.text] : []), signature].join('\n\n');
    const html = [...paragraphs.map(paragraph), ...(todo ? [todo.html] : []), paragraph(signature)].join(
      '\n',
    );
    return { to: letter.to, subject, text: `${text}\n`, html: `<!doctype html>\n${html}\n` };
  };
}

const signature = 'Tenantry';

function instructionOf(action: Action, { authUrl, frontendUrl }: TemplateOptions) {
  const { label, page, endpoint, token, fields, hint } = action;
  if (frontendUrl === undefined) {
    const request = `POST ${authUrl}/${endpoint} with ${JSON.stringify({ token, ...fields })}`;
    const sentences = [`${label}: ${request}`, ...(hint === undefined ? [] : [hint])];
    return { text: sentences.join('\n\n'), html: sentences.map(paragraph).join('\n') };
  }
  // After the #, so that it stands in no log and no Referer on the way.
  const link = `${frontendUrl}/${page}${token === undefined ? '' : `#token=${token}`}`;
  return { text: `${label}:\n${link}`, html: `<p><a href="${escaped(link)}">${escaped(label)}</a></p>` };
}

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
