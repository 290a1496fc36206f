import type { ComposedMail } from '@tenantry/service/mail';
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
  /** The address for replies. */
  readonly replyTo: string | undefined;
  readonly language: Language;
}

/** Writes the mail with a quote to its customer. The seller's text is escaped. */
export function composeQuoteMail({ quote, letter, link, pdf, replyTo, language }: QuoteMail): ComposedMail {
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
  const body = html`<!doctype html>
    <p>${intro}</p>
    ${message.map((paragraph) => html`<p style="white-space: pre-line">${paragraph}</p>`)}
    <p><strong>${title}</strong><br />${facts[0]}<br />${facts[1]}</p>
    <p><a href="${link}">${words.open}</a></p>
    <p>${attached.map((sentence) => html`${sentence}<br />`)}${words.notForOthers}</p> `;
  return {
    to: letter.recipientEmail,
    replyTo,
    subject: words.subject({ number, seller, title: inOneLine(title) }),
    text: `${text.join('\n\n')}\n`,
    html: body.text,
    attachments: pdf
      ? [{ filename: `${number}.pdf`, contentType: 'application/pdf', content: Buffer.from(pdf) }]
      : [],
  };
}
