/** HTML: our own markup, with everything else escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text is escaped, HTML is kept, a list is joined, undefined is empty. */
export type Part = string | number | Html | readonly Part[] | undefined;

/**
 * Creates HTML from a template. Values are escaped unless they are HTML already; attributes must be quoted.
 *
 * @example html`<p title="${title}">${name}</p>`
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const written = parts.map(write);
  return new Html(strings.map((string, index) => string + (written[index] ?? '')).join(''));
}

function write(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(write).join('');
  return part === undefined ? '' : escape(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
