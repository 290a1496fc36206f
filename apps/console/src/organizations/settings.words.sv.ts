import type { SettingsWords } from './settings.words.en.ts';

const people = (count: number): string => (count === 1 ? '1 person' : `${count} personer`);

export const words: SettingsWords = {
  title: 'Organisation',
  save: 'Spara',
  saved: 'Sparat',
  cancel: 'Avbryt',
  none: 'Ej angivet',
  profile: {
    title: 'Namn',
    about: 'Kollegor ser det, och kunder på offerter och i brev.',
    name: 'Namn',
    slug: 'Kortnamn',
    since: 'Sedan',
    timeZone: 'Tidszon',
    timeZoneHint: 'Där dygnen börjar och slutar: en offert gäller till slutet av ett.',
  },
  quotes: {
    title: 'Offerter',
    about: 'Vad nya offerter börjar med. De som redan finns behåller sitt.',
    currency: 'Valuta',
    vatRate: 'Moms i procent',
    prefix: 'Offertnummer börjar med',
    prefixHint: (example) => `1 till 10 av A till Z, 0 till 9 och bindestreck, som i ${example}.`,
    notANumber: 'Ange ett tal från 0 till 100.',
  },
  address: {
    title: 'Adress och momsnummer',
    about: 'De står på era offerter.',
    lines: ['Gata eller box', 'Adressrad 2', 'Adressrad 3'],
    postalCode: 'Postnummer',
    city: 'Ort',
    country: 'Land',
    choose: 'Välj ett land',
    vatNumber: 'Momsregistreringsnummer',
    vatNumberHint: 'Med landskod, som SE556012579001.',
  },
  logo: {
    title: 'Logotyp',
    about: 'Den står på era offerter. En bild som är för stor görs mindre här.',
    alternative: (organization) => `Logotyp för ${organization}`,
    none: 'Det finns ingen än.',
    choose: 'Välj en bild',
    replace: 'Välj en annan bild',
    remove: 'Ta bort',
    removeSure: 'Skickade offerter behåller logotypen som de skickades med.',
    unreadable: 'Filen är ingen bild som går att läsa. Välj en PNG eller JPEG.',
  },
  twoFactor: {
    title: 'Tvåstegsverifiering',
    about: 'Medlemmar utan den kan stängas ute.',
    on: 'Alla medlemmar behöver tvåstegsverifiering.',
    off: 'Medlemmar får logga in med bara ett lösenord.',
    require: 'Kräv den av alla',
    requireSure: (count) =>
      count === 0
        ? 'Alla här har den. Den som kommer senare släpps in när den är inställd.'
        : `${people(count)} utan den stängs ute tills de har ställt in den.`,
    stop: 'Sluta kräva den',
    stopSure: 'Då räcker ett stulet lösenord för att komma in.',
    confirm: { require: 'Kräv', stop: 'Sluta kräva den' },
    lacking: (count) => `${people(count)} utan den`,
    all: 'Alla här har den.',
    more: (count) => `och ${count} till`,
    own: 'Slå på den för ditt konto',
  },
  erase: {
    title: 'Ta bort organisationen',
    about:
      'Medlemmarna förlorar sin åtkomst direkt och öppna offerter stängs. Efter en tid raderas allt i den för gott.',
    type: (slug) => `Skriv ${slug} för att bekräfta`,
    submit: 'Ta bort organisationen',
  },
};
