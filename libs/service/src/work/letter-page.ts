/** What the HTML of a letter is made of; every text in it is escaped here, but for `body` and `foot`. */
export interface LetterPage {
  /** BCP 47. */
  readonly language: string;
  readonly subject: string;
  /** From whom it is. */
  readonly sender: string;
  /** The `cid` of an attached picture that stands for the sender. */
  readonly logo?: string | undefined;
  /** HTML: paragraphs. */
  readonly body: string;
  /** What the reader is asked to do: the one button. */
  readonly action?: { readonly label: string; readonly href: string } | undefined;
  /** HTML: paragraphs in small letters below the button. */
  readonly foot?: string | undefined;
}

// Mail programs draw their dark by themselves, some by turning colours round: text has that of the program and no ground, and
// what has colours of its own (the button, the ground of the logo) is readable both ways.
const styles = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  .letter { max-width: 34rem; margin: 0 auto; padding: 24px 16px; font: 16px/1.5 system-ui, 'Segoe UI', Roboto, Arial, sans-serif; }
  .sender { margin: 0 0 24px; font-size: 18px; font-weight: bold; }
  .action { margin: 24px 0; }
  .foot { margin-top: 24px; padding-top: 12px; border-top: 1px solid #8a97a3; font-size: 13px; }`;

/** In place, for mail programs that drop the styles of the head. */
const button =
  'display: inline-block; padding: 12px 20px; border-radius: 6px; background: #1b6f93; color: #ffffff; font-weight: bold; text-decoration: none';

/** Writes the HTML of a letter: the sender, what it says, one button, and what stands below it; readable in light and dark. */
export function letterPage({ language, subject, sender, logo, body, action, foot }: LetterPage): string {
  const name = escaped(sender);
  const head =
    logo === undefined
      ? name
      : `<img src="cid:${escaped(logo)}" alt="${name}" height="48" style="max-width: 220px; height: 48px; padding: 8px; background: #ffffff" />`;
  const asked =
    action &&
    `<p class="action"><a href="${escaped(action.href)}" style="${button}">${escaped(action.label)}</a></p>`;
  const parts = [
    ...(sender === '' && logo === undefined ? [] : [`<p class="sender">${head}</p>`]),
    body,
    ...(asked === undefined ? [] : [asked]),
    ...(foot === undefined ? [] : [`<div class="foot">${foot}</div>`]),
  ];
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<meta name="color-scheme" content="light dark" />
<meta name="supported-color-schemes" content="light dark" />
<title>${escaped(subject)}</title>
<style>${styles}
</style>
</head>
<body>
<div class="letter">
${parts.join('\n')}
</div>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
