import type { CustomerWords } from './customers.words.en.ts';

export const words: CustomerWords = {
  title: 'Kunder',
  list: 'Kunder',
  search: 'Sök bland kunder',
  searchHint: 'Namn, adress eller momsnummer',
  unnamed: 'Kund utan namn',
  more: 'Visa fler',
  loading: 'Läser in kunder',
  empty: {
    title: 'Inga kunder än',
    text: 'Den du skriver en offert till blir kund och visas här. Andra kan du lägga till själv.',
    action: 'Ny offert',
  },
  nothingFound: {
    title: 'Inget hittades',
    text: 'Ingen kund matchar. Ändra sökningen eller visa alla.',
    action: 'Visa alla kunder',
  },
  notFound: {
    title: 'Kunden finns inte',
    text: 'Kunden har raderats eller tillhör en annan organisation.',
    action: 'Alla kunder',
  },
  creating: { title: 'Ny kund', submit: 'Lägg till kund', cancel: 'Avbryt' },
  duplicate: 'En annan kund har den här e-postadressen eller det här momsnumret:',
  back: 'Kunder',
  details: {
    title: 'Uppgifter',
    about: 'Ändringar gäller utkast; skickade offerter ändras inte.',
    name: 'Namn',
    email: 'E-postadress',
    address: 'Postadress',
    vatNumber: 'Momsnummer',
    language: 'Språk i mejl',
    noLanguage: 'Inte valt',
    save: 'Spara',
    saved: 'Sparat.',
  },
  conflict: {
    title: 'Någon annan har ändrat den här kunden',
    column: { field: 'Fält', now: 'Nu', yours: 'Ditt' },
    keep: 'Spara mitt',
    drop: 'Ta deras',
  },
  quotes: {
    title: 'Offerter',
    empty: 'Det finns ingen offert för den här kunden.',
    loading: 'Läser in offerter',
    create: 'Ny offert',
  },
};
