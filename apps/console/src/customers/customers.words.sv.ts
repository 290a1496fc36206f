import type { CustomerWords } from './customers.words.en.ts';

export const words: CustomerWords = {
  title: 'Kunder',
  list: 'Kunder',
  search: 'Sök bland kunder',
  searchHint: 'Namn eller e-postadress',
  unnamed: 'Kund utan namn',
  more: 'Visa fler',
  loading: 'Laddar kunder',
  empty: {
    title: 'Inga kunder än',
    text: 'Den som får en offert blir kund: skriv en offert, så visas kunden här.',
    action: 'Ny offert',
  },
  nothingFound: {
    title: 'Inget hittades',
    text: 'Ingen kund stämmer. Sök efter något annat eller visa alla.',
    action: 'Visa alla kunder',
  },
  notFound: {
    title: 'Kunden finns inte',
    text: 'Kunden har raderats eller tillhör en annan organisation.',
    action: 'Alla kunder',
  },
  back: 'Kunder',
  details: {
    title: 'Uppgifter',
    about: 'Utkast följer det du ändrar här; det som är skickat står kvar som det skickades.',
    name: 'Namn',
    email: 'E-postadress',
    language: 'Brevens språk',
    languages: { en: 'English', sv: 'Svenska' },
    noLanguage: 'Inte valt',
    save: 'Spara',
    saved: 'Sparat.',
  },
  conflict: {
    title: 'Någon annan har ändrat den här kunden under tiden',
    column: { field: 'Fält', now: 'Nu', yours: 'Ditt' },
    keep: 'Spara mitt',
    drop: 'Ta deras',
  },
  quotes: {
    title: 'Offerter',
    empty: 'Det finns ingen offert för den här kunden.',
    loading: 'Laddar offerter',
    create: 'Ny offert',
  },
};
