import type { DomainWords } from './domains.words.en.ts';

export const words: DomainWords = {
  title: 'Domäner och enkel inloggning',
  about:
    'Visa med en post i dess DNS att en domän är er. Personer med en adress i domänen kan då gå med på egen hand, om ni låter dem.',
  back: 'Organisation',
  list: 'Organisationens domäner',
  none: 'Inga domäner än.',
  add: {
    title: 'Lägg till en domän',
    field: 'Domän',
    hint: 'Det som står efter @ i era adresser, till exempel foretag.se. En underdomän är en egen domän.',
    submit: 'Lägg till domän',
    done: (domain) => `${domain} har lagts till. Lägg nu till dess post i DNS.`,
  },
  badges: { pending: 'Inte bekräftad', verified: 'Bekräftad', missing: 'Post saknas', suspended: 'Avstängd' },
  states: {
    pending:
      'Lägg till den här posten där domänens DNS sköts och kontrollera sedan. Det kan ta en timme innan den syns.',
    verified: (day, read) =>
      `Bekräftad den ${day}. Posten sågs senast den ${read} och eftersöks varje dag: låt den vara kvar.`,
    missing: (read) =>
      `Posten saknades den ${read}. Lägg till den igen: saknas den tre dagar i rad stängs domänen av.`,
    suspended: (day) =>
      `Avstängd den ${day}, eftersom posten saknades tre dagar i rad: ingen kan gå med genom domänen, och en annan organisation kan visa att den är deras. Lägg till posten igen och kontrollera sedan.`,
  },
  record: {
    title: (domain) => `DNS-post för ${domain}`,
    show: 'Visa posten',
    type: 'Typ',
    name: 'Namn',
    value: 'Värde',
    copyName: 'Kopiera namnet',
    copyValue: 'Kopiera värdet',
    copied: 'Kopierat',
    uncopied: 'Kopiera för hand',
  },
  check: {
    action: 'Kontrollera nu',
    of: (domain) => `Kontrollera nu: ${domain}`,
    done: (domain) => `Posten för ${domain} finns där.`,
  },
  joins: {
    label: (domain) => `Vem som helst med en bekräftad adress i ${domain} kan gå med som medlem`,
    on: (domain) => `Personer med en adress i ${domain} kan nu gå med.`,
    off: (domain) => `Personer med en adress i ${domain} behöver nu en inbjudan. Medlemmarna är kvar.`,
    later: 'Det gäller när domänen är bekräftad.',
  },
  remove: {
    of: (domain) => `Ta bort ${domain}`,
    sure: (domain) =>
      `Ingen kan längre gå med genom ${domain}, och en annan organisation kan visa att den är deras. Medlemmarna är kvar. För att lägga till den igen behövs en ny post.`,
    confirm: 'Ta bort domän',
    cancel: 'Avbryt',
    done: (domain) => `${domain} har tagits bort.`,
  },
};
