import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/activity/activity.queries.ts';
import { words as english } from '../../src/activity/activity.words.en.ts';
import { words as swedish } from '../../src/activity/activity.words.sv.ts';
import { changesOf, sentenceOf } from '../../src/activity/sentences.ts';
import { words as englishActors } from '../../src/design/actor.words.en.ts';
import { words as swedishActors } from '../../src/design/actor.words.sv.ts';
import { formatsOf } from '../../src/design/language.ts';

const happening = (action: string, more: Partial<Happening> = {}): Happening => ({
  ...{ id: 'one', trail: 'quotes', action, createdAt: '2026-11-24T12:00:00Z', details: {} },
  actor: { kind: 'user', userId: 'ingrid', name: 'Ingrid Solberg' },
  target: { type: 'quote', id: 'a-quote', name: 'Q-2026-0007' },
  ...more,
});
const inEnglish = { words: english, actors: englishActors, language: 'en' } as const;
const inSwedish = { words: swedish, actors: swedishActors, language: 'sv' } as const;
const told = (action: string, more?: Partial<Happening>) => sentenceOf(happening(action, more), inEnglish);

describe('what changed is told', () => {
  const changes = (
    action: string,
    details: Happening['details'],
    said: typeof inEnglish | typeof inSwedish = inEnglish,
  ) =>
    changesOf(happening(action, { details }), {
      ...said,
      formats: formatsOf(said.language, 'Europe/Stockholm'),
    });
  const lead = { fields: ['notes', 'status'], values: { status: { from: 'new', to: 'contacted' } } };

  test('with what it was and what it is, and in the sentence no more', () => {
    expect(changes('lead.updated', lead)).toEqual(['Status: New → Contacted']);
    expect(changes('lead.updated', lead, inSwedish)).toEqual(['Status: Nytt → Kontaktat']);
    expect(told('lead.updated', { details: lead })).toBe(
      'Ingrid Solberg changed the lead Q-2026-0007: notes',
    );
    const { values } = lead;
    expect(told('lead.updated', { details: { fields: ['status'], values } })).toMatch(/Q-2026-0007$/);
  });

  test('as numbers, moments, switches and codes are written in the language', () => {
    const values = {
      vatRate: { from: 25, to: 12.5 },
      validUntil: { from: '2026-12-20T22:59:59.999Z', to: '2026-12-31T22:59:59.999Z' },
      requireTwoFactor: { from: false, to: true },
      timeZone: { from: 'UTC', to: 'Europe/Stockholm' },
      unitPrice: { from: 1200.5, to: null },
    };
    expect(changes('quote.updated', { values })).toEqual([
      'VAT rate: 25% → 12.5%',
      'Validity: 20 Dec 2026, 23:59 → 31 Dec 2026, 23:59',
      'Two-factor requirement: off → on',
      'Time zone: UTC → Europe/Stockholm',
      'Price: 1,200.5 → none',
    ]);
    const swedish = changes('quote.updated', { values }, inSwedish).map((one) =>
      one.replaceAll('\u00a0', ' '),
    );
    expect(swedish).toEqual([
      'Momssats: 25 % → 12,5 %',
      'Giltighet: 20 dec. 2026 23:59 → 31 dec. 2026 23:59',
      'Krav på tvåstegsverifiering: av → på',
      'Tidszon: UTC → Europe/Stockholm',
      'Pris: 1 200,5 → ingen',
    ]);
  });

  test('of entries of earlier versions, and of a role', () => {
    const earlier = { fields: ['status'], from: 'contacted', to: 'lost' };
    expect(changes('lead.updated', earlier)).toEqual(['Status: Contacted → Lost']);
    expect(changes('member.role-changed', { from: 'member', to: 'owner' })).toEqual(['Role: Member → Owner']);
    expect(changes('domain.joins-changed', { from: 'nobody', to: 'member' })).toEqual([]);
    expect(changes('lead.updated', { fields: ['name'] })).toEqual([]);
  });

  test('by what a newer service calls it, where this page has no words for it', () => {
    const values = { mood: { from: 'good', to: 'better' } };
    expect(changes('moon.landed', { values })).toEqual(['Mood: good → better']);
  });
});

describe('what happened is told', () => {
  test('with who did it and what it was called then', () => {
    expect(told('quote.sent')).toBe('Ingrid Solberg sent the quote Q-2026-0007');
    expect(sentenceOf(happening('quote.sent'), inSwedish)).toBe(
      'Ingrid Solberg skickade offerten Q-2026-0007',
    );
  });

  test('in its order, whatever order the names in it ask for', () => {
    const asked = { target: { type: 'lead', id: 'a-lead', name: '\u202eטנא' } };
    expect(told('lead.created', asked)).toContain('\u2068\u202eטנא\u2069');
    expect(told('lead.created', { target: { ...asked.target, name: 'Åse' } })).toMatch(/ Åse$/);
  });

  test('with the fields that changed, and the role that somebody has now', () => {
    const fields = { details: { fields: ['name', 'notes'] } };
    expect(told('lead.updated', fields)).toBe('Ingrid Solberg changed the lead Q-2026-0007: name and notes');
    const settings = { details: { fields: ['vatRate', 'logo'], vatRate: 25, logo: null } };
    expect(told('organization.updated', settings)).toBe(
      'Ingrid Solberg changed the organization: VAT rate and logo',
    );
    expect(told('member.role-changed', { details: { from: 'member', to: 'owner' } })).toMatch(/an owner$/);
    expect(told('lead.imported', { target: null, details: { imported: 1 } })).toBe(
      'Ingrid Solberg imported 1 lead',
    );
  });

  test('with a service account as such, whatever it is called', () => {
    const actor = { kind: 'service-account', userId: 'shop', name: 'Ingrid Solberg' } as const;
    expect(told('quote.sent', { actor })).toBe('Ingrid Solberg (service account) sent the quote Q-2026-0007');
    expect(told('quote.sent', { actor: { ...actor, name: null } })).toMatch(/^A service account sent/);
    expect(sentenceOf(happening('quote.sent', { actor }), inSwedish)).toMatch(
      /^Ingrid Solberg \(tjänstekonto\) skickade/,
    );
  });

  test('where no name is known: an erased account, a customer, the operator, work of the service itself', () => {
    const by = (kind: NonNullable<Happening['actor']>['kind'], name: string | null) => ({
      actor: { kind, userId: null, name },
    });
    expect(told('quote.accepted', by('customer', null))).toMatch(/^A customer accepted/);
    expect(told('quote.accepted', by('customer', 'Åse'))).toMatch(/^Åse accepted/);
    expect(told('organization.restored', by('operator', null))).toBe(
      'The operator restored the organization',
    );
    expect(told('organization.created', by('job', 'personal-organizations'))).toMatch(/^Tenantry created/);
    expect(told('quote.created', by('user', null))).toMatch(/^A former user/);
    expect(told('lead.purged', { ...by('job', 'deleted-leads'), details: { leads: 2 } })).toBe(
      'Tenantry permanently erased 2 leads that had been deleted',
    );
    expect(told('invitation.rejected', { actor: null, target: null })).not.toMatch(/undefined|null/);
  });

  test('where this page has no words for it', () => {
    expect(told('moon.landed')).toBe('Ingrid Solberg did something else');
  });

  test.each(Object.keys(english.sentences))('%s, in whole sentences whatever is missing', (action) => {
    for (const said of [inEnglish, inSwedish]) {
      const least = sentenceOf(happening(action, { actor: null, target: null }), said);
      expect(least).not.toMatch(/undefined|null|NaN| {2}/);
      expect(least.trim()).toBe(least);
    }
  });
});
