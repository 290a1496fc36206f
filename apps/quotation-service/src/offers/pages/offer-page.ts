import type { QuoteDocument } from '../../quotes/quote-document.ts';
import type { LineItem, WorkPackage } from '../../quotes/quote.ts';
import type { Logo } from '../../logos/logo.ts';
import { formatsOf, type Formats } from '../../wording/formats.ts';
import { addressIn } from '../../wording/countries.ts';
import { wordsOf, type Language, type Words } from '../../wording/languages.ts';
import type { OfferStanding } from '../offers.ts';
import { decisionForms, type Problem } from './decision-forms.ts';
import { html, type Html } from '../../wording/html.ts';
import { noticeBlock, type Notice } from './notice-page.ts';
import { pageWordsOf, type PageWords } from './page-words.ts';
import { writePage } from './page.ts';

/** What the page of an offer shows. */
export interface OfferPage {
  readonly quote: QuoteDocument;
  readonly standing: OfferStanding;
  readonly logo?: Logo;
  /** Of the link, for the forms and the PDF. */
  readonly token: string;
  readonly language: Language;
  /** Whether it offers the quote as PDF. */
  readonly hasPdf: boolean;
  /** The problem with the customer's input. */
  readonly problem?: Problem;
}

interface Spoken {
  readonly words: Words;
  readonly page: PageWords;
  readonly formats: Formats;
}

/**
 * Writes the page on which a customer reads, accepts or rejects a quote. It needs no script. It is written in parts of at most
 * one work package, since a quote may have 50,000 lines.
 */
export function offerPage(offer: OfferPage): Generator<string, void> {
  const { quote, language } = offer;
  const words = wordsOf(language);
  const spoken = { words, page: pageWordsOf(language), formats: formatsOf(quote, words.locale) };
  const title = `${words.quote} ${quote.number} · ${quote.seller.name}`;
  return writePage({ language, title, content: contentOf(offer, spoken) });
}

function* contentOf(
  { quote, standing, logo, token, hasPdf, problem }: OfferPage,
  spoken: Spoken,
): Generator<Html> {
  const notice = noticeOf(standing, quote, spoken);
  const isOpen = standing.state === 'open';
  const total = spoken.formats.money(quote.totalAmount);
  yield html` ${notice && noticeBlock(notice)} ${head(quote, logo, spoken)} ${facts(quote, spoken)}
    <p class="actions">
      ${isOpen ? html`<a class="button" href="#answer">${spoken.page.toAnswer}</a>` : undefined}
      ${
        hasPdf
          ? html`<a class="button plain" href="/api/quotation/offer/pdf?token=${token}"
              >${spoken.page.downloadPdf}</a
            >`
          : undefined
      }
    </p>`;
  for (const workPackage of quote.workPackages) yield packageSection(workPackage, spoken);
  yield html`${totals(quote, spoken)}
  ${isOpen ? decisionForms({ token, total, page: spoken.page, problem }) : undefined} ${foot(quote, spoken)}`;
}

function noticeOf(
  standing: OfferStanding,
  quote: QuoteDocument,
  { page, formats }: Spoken,
): Notice | undefined {
  switch (standing.state) {
    case 'open':
      return undefined;
    case 'accepted':
      return {
        tone: 'good',
        heading: page.accepted(standing.name, formats.day(standing.at)),
        text: page.acceptedText,
      };
    case 'rejected':
      return { tone: 'plain', heading: page.rejected(formats.day(standing.at)), text: page.rejectedText };
    case 'expired':
      return {
        tone: 'warn',
        heading: page.expired(formats.lastDay(quote.validUntil)),
        text: page.expiredText,
      };
    case 'superseded':
      return { tone: 'warn', heading: page.superseded, text: page.supersededText };
  }
}

const head = (
  { seller, title, description }: QuoteDocument,
  logo: Logo | undefined,
  { words }: Spoken,
): Html =>
  html`<header>
    ${logo && html`<img class="logo" alt="" src="${dataUrl(logo)}" />`}
    <p class="seller" dir="auto">${seller.name}</p>
    <p class="quiet text" dir="auto">${addressIn(seller.address, words)}</p>
    <p class="kind">${words.quote}</p>
    <h1 dir="auto">${title}</h1>
    ${description ? html`<p class="text" dir="auto">${description}</p>` : undefined}
  </header>`;

/** The picture is inlined, since the page loads nothing. */
const dataUrl = ({ mediaType, content }: Logo): string =>
  `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`;

/** A name and its value in a list. */
const row = (name: string, value: string | number, kind = ''): Html =>
  html`<div class="${kind}">
    <dt>${name}</dt>
    <dd dir="auto">${value}</dd>
  </div>`;

const facts = (quote: QuoteDocument, { words, formats }: Spoken): Html =>
  html`<dl class="facts">
    ${row(words.total, formats.money(quote.totalAmount), 'total')}
    ${row(words.validUntil, formats.lastDay(quote.validUntil))}
    ${row(words.date, formats.day(quote.sentAt ?? quote.createdAt))} ${row(words.number, quote.number)}
    ${quote.revision > 1 ? row(words.revision, quote.revision) : undefined} ${recipient(quote, words)}
  </dl>`;

/** Name, address and VAT number of the customer, one below the other. */
function recipient({ customer }: QuoteDocument, words: Words): Html | undefined {
  const { name, address, vatNumber } = customer;
  const lines = [
    ...(name ? [name] : []),
    ...(address ? [addressIn(address, words)] : []),
    ...(vatNumber ? [`${words.vatNumber} ${vatNumber}`] : []),
  ];
  return lines.length > 0 ? row(words.preparedFor, lines.join('\n'), 'wide') : undefined;
}

function packageSection({ name, description, items, subtotal }: WorkPackage, spoken: Spoken): Html {
  const { words, formats } = spoken;
  return html`<section class="package">
    <h2 dir="auto">${name}</h2>
    ${description ? html`<p class="quiet text" dir="auto">${description}</p>` : undefined}
    <table>
      <thead>
        <tr>
          <th scope="col">${words.description}</th>
          <th class="number" scope="col">${words.quantity}</th>
          <th class="number" scope="col">${words.unitPrice}</th>
          <th class="number" scope="col">${words.amount}</th>
        </tr>
      </thead>
      <tbody>
        ${items.map((item) => itemRow(item, formats))}
      </tbody>
      <tfoot>
        <tr>
          <th colspan="3" scope="row">${words.subtotal}</th>
          <td class="number">${formats.amount(subtotal)}</td>
        </tr>
      </tfoot>
    </table>
  </section>`;
}

function itemRow(item: LineItem, formats: Formats): Html {
  const unitPrice = formats.unitPrice(item.unitPrice);
  return html`<tr>
    <td class="what">
      <span class="text" dir="auto">${item.description}</span>${
        item.articleNumber
          ? html`<br /><span class="quiet" dir="auto">${item.articleNumber}</span>`
          : undefined
      }
    </td>
    <td class="number many">
      ${formats.quantity(item.quantity)} <bdi>${item.unit}</bdi><span class="times"> × ${unitPrice}</span>
    </td>
    <td class="number each">${unitPrice}</td>
    <td class="number">${formats.amount(item.totalPrice)}</td>
  </tr>`;
}

const totals = (quote: QuoteDocument, { words, formats }: Spoken): Html =>
  html`<dl class="totals">
      ${row(words.subtotal, formats.money(quote.subtotal))}
      ${row(words.vat(formats.percent(quote.vatRate)), formats.money(quote.vatAmount))}
      ${row(words.total, formats.money(quote.totalAmount), 'sum')}
    </dl>
    ${quote.vatExemptionReason ? html`<p class="quiet terms" dir="auto">${quote.vatExemptionReason}</p>` : undefined}`;

const foot = ({ seller, validUntil }: QuoteDocument, { words, formats }: Spoken): Html =>
  html`<footer class="quiet">
    <p>${words.validity(formats.lastDay(validUntil))}</p>
    <p>
      <bdi>${seller.name}</bdi
      >${seller.vatNumber ? html` · ${words.vatNumber} ${seller.vatNumber}` : undefined}
    </p>
  </footer>`;
