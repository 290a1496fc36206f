/** Text that is HTML: markup of ours, with everything else escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What stands in a template: text is escaped, HTML is kept, a list is joined, nothing is nothing. */
export type Part = string | number | Html | readonly Part[] | undefined;

/**
 * Makes HTML of a template. Whatever is put into it is escaped unless it is HTML already; attributes must be quoted.
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
