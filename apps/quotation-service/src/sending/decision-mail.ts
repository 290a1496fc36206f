import { letterPage, type ComposedMail } from '@tenantry/service/mail';
import type { Decision } from '../quotes/decision.ts';
import type { DocumentHead } from '../quotes/quote-document.ts';
import { formatsOf, inOneLine } from '../wording/formats.ts';
import { html } from '../wording/html.ts';
import { wordsOf, type Language } from '../wording/languages.ts';
import { mailWords } from './mail-words.ts';

/** The data of a mail about a customer's decision. */
export interface DecisionMail {
  readonly to: string;
  readonly quote: DocumentHead;
  readonly decision: Decision;
  /** The quote's URL in the front end; undefined if there is none. */
  readonly link: string | undefined;
  readonly language: Language;
}

/** Writes the mail that notifies a seller of a customer's decision. The customer's text is escaped. */
export function composeDecisionMail({ to, quote, decision, link, language }: DecisionMail): ComposedMail {
  const words = { ...wordsOf(language), ...mailWords[language].notice };
  const formats = formatsOf(quote, words.locale);
  const { number } = quote;
  const title = inOneLine(quote.title);
  const customer = inOneLine(quote.customer.name);
  const isAccepted = decision.decision === 'accepted';
  const subject = (isAccepted ? words.accepted : words.rejected)({ number, title });
  const facts = [
    ...(customer ? [`${words.preparedFor}: ${customer}`] : []),
    ...(decision.name ? [`${words.signedBy}: ${inOneLine(decision.name)}`] : []),
    `${words.total}: ${formats.money(quote.totalAmount)}`,
    `${words.date}: ${formats.day(decision.decidedAt.toISOString())}`,
  ];
  const reason = decision.reason ? [`${words.reason}:`, decision.reason] : [];
  const body = html`<p><strong style="font-size: 18px">${subject}</strong></p>
    <p style="white-space: pre-line">${facts.join('\n')}</p>
    ${reason.map((paragraph) => html`<p style="white-space: pre-line">${paragraph}</p>`)}`;
  const text = [subject, facts.join('\n'), ...reason, ...(link ? [`${words.open}:\n${link}`] : [])];
  const page = letterPage({
    ...{ language, subject, sender: 'Tenantry', body: body.text },
    action: link === undefined ? undefined : { label: words.open, href: link },
  });
  return { to, subject, text: `${text.join('\n\n')}\n`, html: page };
}
