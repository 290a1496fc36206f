import { letterPage, type ComposedMail } from '@tenantry/service/mail';
import type { Logo } from '../logos/logo.ts';
import type { DocumentHead } from '../quotes/quote-document.ts';
import { formatsOf, inOneLine } from '../wording/formats.ts';
import { html } from '../wording/html.ts';
import { wordsOf, type Language } from '../wording/languages.ts';
import { mailWords } from './mail-words.ts';
import type { Letter } from './sending.ts';

/** The data of a mail with a quote. */
export interface QuoteMail {
  readonly quote: DocumentHead;
  readonly letter: Pick<Letter, 'recipientEmail' | 'message'>;
  /** The URL of the customer's page. */
  readonly link: string;
  /** Undefined if the quote is too large for one. */
  readonly pdf: Uint8Array | undefined;
  /** The seller's; undefined if there is none. */
  readonly logo: Logo | undefined;
  /** The address for replies. */
  readonly replyTo: string | undefined;
  readonly language: Language;
}

/** The name of the logo within a letter. */
const logoName = 'logo';

/** Writes the mail with a quote to its customer. The seller's text is escaped. */
export function composeQuoteMail(mail: QuoteMail): ComposedMail {
  const { quote, letter, link, pdf, logo, replyTo, language } = mail;
  const { number, title, totalAmount, validUntil } = quote;
  const words = { ...wordsOf(language), ...mailWords[language].letter };
  const formats = formatsOf(quote, words.locale);
  const seller = inOneLine(quote.seller.name);
  const message = letter.message ? [letter.message] : [];
  const facts = [
    `${words.total}: ${formats.money(totalAmount)}`,
    words.validity(formats.lastDay(validUntil)),
  ];
  const attached = pdf ? [words.attached] : [];
  const intro = words.intro({ number, seller });
  const text = [
    intro,
    ...message,
    `${title}\n${facts.join('\n')}`,
    `${words.open}:\n${link}`,
    [...attached, words.notForOthers].join('\n'),
  ];
  const subject = words.subject({ number, seller, title: inOneLine(title) });
  const body = html`<p>${intro}</p>
    ${message.map((paragraph) => html`<p style="white-space: pre-line">${paragraph}</p>`)}
    <p><strong style="font-size: 18px">${title}</strong></p>
    <p><strong>${facts[0]}</strong><br />${facts[1]}</p>`;
  const foot = html`<p>${attached.map((sentence) => html`${sentence}<br />`)}${words.notForOthers}</p>`;
  const files = pdf
    ? [{ filename: `${number}.pdf`, contentType: 'application/pdf', content: Buffer.from(pdf) }]
    : [];
  const picture = logo && {
    ...{ filename: `logo.${logo.mediaType === 'image/png' ? 'png' : 'jpg'}`, contentType: logo.mediaType },
    ...{ content: Buffer.from(logo.content), cid: logoName },
  };
  return {
    to: letter.recipientEmail,
    replyTo,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: letterPage({
      ...{ language, subject, sender: seller, body: body.text, foot: foot.text },
      logo: picture?.cid,
      action: { label: words.open, href: link },
    }),
    attachments: picture ? [...files, picture] : files,
  };
}
