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
    about: 'Visas för medlemmar, och för kunder på offerter och i mejl.',
    name: 'Namn',
    slug: 'Kortnamn',
    since: 'Sedan',
    timeZone: 'Tidszon',
    timeZoneHint: 'Bestämmer när en dag slutar: en offert gäller till slutet av en dag.',
  },
  quotes: {
    title: 'Offerter',
    about: 'Förval för nya offerter. De som redan finns ändras inte.',
    currency: 'Valuta',
    vatRate: 'Moms i procent',
    prefix: 'Offertnummer börjar med',
    prefixHint: (example) => `1 till 10 tecken, A till Z, 0 till 9 och bindestreck, till exempel ${example}.`,
    notANumber: 'Ange ett tal från 0 till 100.',
  },
  address: {
    title: 'Adress och momsnummer',
    about: 'Visas på era offerter.',
    lines: ['Gata eller box', 'Adressrad 2', 'Adressrad 3'],
    postalCode: 'Postnummer',
    city: 'Ort',
    country: 'Land',
    choose: 'Välj ett land',
    vatNumber: 'Momsregistreringsnummer',
    vatNumberHint: 'Med landskod, till exempel SE556012579001.',
  },
  logo: {
    title: 'Logotyp',
    about: 'Visas på era offerter. En bild som är för stor förminskas.',
    alternative: (organization) => `Logotyp för ${organization}`,
    none: 'Ingen logotyp än.',
    choose: 'Välj en bild',
    replace: 'Välj en annan bild',
    remove: 'Ta bort',
    removeSure: 'Skickade offerter behåller sin logotyp.',
    unreadable: 'Filen går inte att läsa som bild. Välj en PNG eller JPEG.',
  },
  twoFactor: {
    title: 'Tvåstegsverifiering',
    about: 'Du kan kräva den av alla medlemmar.',
    on: 'Alla medlemmar behöver tvåstegsverifiering.',
    off: 'Medlemmar får logga in med bara ett lösenord.',
    require: 'Kräv den av alla',
    requireSure: (count) =>
      count === 0
        ? 'Alla här har den. Nya medlemmar får åtkomst när de har ställt in den.'
        : `${people(count)} utan den förlorar åtkomst tills de har ställt in den.`,
    stop: 'Sluta kräva den',
    stopSure: 'Då räcker ett stulet lösenord för att logga in.',
    confirm: { require: 'Kräv', stop: 'Sluta kräva den' },
    lacking: (count) => `${people(count)} utan den`,
    all: 'Alla här har den.',
    more: (count) => `och ${count} till`,
    own: 'Slå på den för ditt konto',
  },
  erase: {
    title: 'Ta bort organisationen',
    about:
      'Medlemmarna förlorar sin åtkomst direkt och öppna offerter stängs. Efter en tid raderas alla uppgifter permanent.',
    type: (slug) => `Skriv ${slug} för att bekräfta`,
    submit: 'Ta bort organisationen',
  },
};
