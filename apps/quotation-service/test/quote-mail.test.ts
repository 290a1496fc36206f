import { describe, expect, it } from 'vitest';
import { composeDecisionMail } from '../src/sending/decision-mail.ts';
import { composeQuoteMail, type QuoteMail } from '../src/sending/quote-mail.ts';

const logo = { digest: 'a'.repeat(64), mediaType: 'image/png', content: Buffer.from('a picture') } as const;
const mail = {
  quote: {
    ...{ number: 'Q-2026-0001', title: 'New <roof>', totalAmount: 4399.85, currency: 'SEK' },
    ...{ validUntil: '2026-12-31T22:59:59.999Z', timeZone: 'Europe/Stockholm' },
    ...{ seller: { name: 'Tak & Plåt AB', address: '', vatNumber: '' }, customer: { name: 'Karin' } },
  },
  letter: { recipientEmail: 'karin@astrom.example', message: 'As discussed.' },
  link: 'https://app.example.com/api/quotation/offer?token=a-token',
  pdf: undefined,
  logo,
  replyTo: undefined,
} as unknown as Omit<QuoteMail, 'language'>;

describe.each([
  ['en', 'Read and answer the quote', /valid until 31 December 2026/],
  ['sv', 'Läs och besvara offerten', /till och med 31 december 2026/],
] as const)('the letter with a quote, in %s', (language, button, lastDay) => {
  const { html, attachments = [] } = composeQuoteMail({ ...mail, language });

  it('shows the logo, the sum, the day and one button', () => {
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toMatch(/<img src="cid:logo" alt="Tak &amp; Plåt AB"/);
    expect(attachments).toEqual([
      { filename: 'logo.png', contentType: 'image/png', content: Buffer.from('a picture'), cid: 'logo' },
    ]);
    expect(html.replaceAll(/\s/g, ' ')).toMatch(/4.399[.,]85/);
    expect(html).toMatch(lastDay);
    expect(html).toContain('New &lt;roof&gt;');
    expect(html.match(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)/g)).toHaveLength(1);
    expect(html).toContain(`href="${mail.link}"`);
    expect(html).toContain(`>${button}</a>`);
  });

  it('says who it is from where there is no logo', () => {
    const plain = composeQuoteMail({ ...mail, logo: undefined, language });
    expect(plain.html).toContain('<p class="sender">Tak &amp; Plåt AB</p>');
    expect(plain.attachments).toEqual([]);
  });

  it('leaves colours to mail programs in the dark, but for the button', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark" />');
    expect(html.replaceAll(/<a [^>]*>/g, '')).not.toMatch(/[\s;"]color: #/);
  });

  it('of an answer has one button as well, and none where there is no front end', () => {
    const decision = { decision: 'accepted', decidedAt: new Date('2026-12-01T12:00:00Z'), name: 'Karin' };
    const answer = { to: 'ada@example.com', quote: mail.quote, decision, language } as unknown as Parameters<
      typeof composeDecisionMail
    >[0];
    const count = (link: string | undefined) =>
      composeDecisionMail({ ...answer, link }).html.match(/<a /g)?.length ?? 0;
    expect([count('https://app.example.com/quotes/1'), count(undefined)]).toEqual([1, 0]);
  });
});
