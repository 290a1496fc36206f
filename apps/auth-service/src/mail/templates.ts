import { letterPage, type ComposedMail } from '@tenantry/service/mail';
import type { Letter } from './letter.ts';
import { wordsFor } from './words/languages.ts';
import type { LetterWords } from './words/words.ts';

/** Writes a letter out. */
export type ComposeLetter = (letter: Letter) => ComposedMail;

/** Base URLs of links. */
interface TemplateOptions {
  /** AUTH_URL. */
  readonly authUrl: string;
  /** FRONTEND_URL: links lead to its pages; without it, letters say which request to make. */
  readonly frontendUrl?: string | undefined;
}

/** The target of a letter's link. */
interface Action {
  /** A page of the front end. */
  readonly page: string;
  /** The endpoint behind it. */
  readonly endpoint: string;
  /** Undefined if no session is needed. */
  readonly token?: string;
  /** Further fields of the endpoint. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Makes {@link ComposeLetter}. Names are anyone's text: they are quoted, kept short and escaped in HTML. */
export function createTemplates(options: TemplateOptions): ComposeLetter {
  // A person copies the address with its slash: links would have two, which the gateway refuses.
  const places = { ...options, frontendUrl: options.frontendUrl?.replace(/\/+$/, '') };
  return (letter) => {
    const wording = wordingOf(letter);
    const { subject, paragraphs } = wording;
    const action = actionOf(letter);
    const todo = action && instructionOf(action, wording, places);
    const text = [...paragraphs, ...(todo ? [todo.text] : []), signature].join('\n\n');
    const html = letterPage({
      ...{ language: wording.language, subject, sender: signature, action: todo?.action },
      body: [...paragraphs, ...(todo?.sentences ?? [])].map(paragraph).join('\n'),
    });
    return { to: letter.to, subject, text: `${text}\n`, html };
  };
}

const signature = 'Tenantry';

function wordingOf({ template, data, reader }: Letter): LetterWords & { readonly language: string } {
  const { language, words, moment } = wordsFor(reader ?? { language: null, timeZone: null });
  // TypeScript does not correlate a template with its data.
  const write = words[template] as (given: typeof data, write: typeof moment) => LetterWords;
  return { ...write(data, moment), language };
}

function actionOf(letter: Letter): Action | undefined {
  switch (letter.template) {
    case 'verify-email':
    case 'confirm-new-address':
      return { page: 'verify-email', endpoint: 'email/verify', token: letter.data.token };
    case 'reset-password':
      return {
        page: 'reset-password',
        endpoint: 'password/reset',
        token: letter.data.token,
        fields: { newPassword: 'the new one' },
      };
    case 'sign-in-code':
      return { page: 'sign-in', endpoint: 'sign-in/mailed/verify', token: letter.data.token };
    case 'invitation':
      return { page: 'accept-invitation', endpoint: 'invitations/accept', token: letter.data.token };
    // To a former address of the account, where a password cannot be reset.
    case 'email-changed':
    // About an organization, not about the account.
    case 'keys-expire':
    case 'certificate-ends':
    case 'domain-record-missing':
    case 'domain-suspended':
    case 'sso-requirement-changed':
    case 'owner-bypassed-sso':
    case 'organization-exported':
    case 'organization-restored':
      return undefined;
    default:
      return resetOf(letter.to);
  }
}

/** For a user whose password another person has changed: a link without a token, which does not expire. */
const resetOf = (email: string): Action => ({
  page: 'forgot-password',
  endpoint: 'password/forgot',
  fields: { email },
});

function instructionOf(
  { page, endpoint, token, fields }: Action,
  { action: label = '', hint }: LetterWords,
  { authUrl, frontendUrl }: TemplateOptions,
) {
  if (frontendUrl === undefined) {
    const request = `POST ${authUrl}/${endpoint} with ${JSON.stringify({ token, ...fields })}`;
    const sentences = [`${label}: ${request}`, ...(hint === undefined ? [] : [hint])];
    return { text: sentences.join('\n\n'), sentences };
  }
  // In the fragment, so that it appears in no log and no Referer.
  const link = `${frontendUrl}/${page}${token === undefined ? '' : `#token=${token}`}`;
  return { text: `${label}:\n${link}`, action: { label, href: link } };
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
