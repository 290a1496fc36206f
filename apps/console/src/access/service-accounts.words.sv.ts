import type { ServiceAccountWords } from './service-accounts.words.en.ts';

/** What is said about service accounts and keys, in Swedish. */
export const words: ServiceAccountWords = {
  title: 'Tjänstekonton och nycklar',
  about:
    'Ett program, till exempel en nattlig import, använder API:et som ett tjänstekonto, med en av dess nycklar. Ingens lösenord behövs, och nyckeln fungerar även när den som skapade den har slutat.',
  back: 'Organisation',
  list: 'Tjänstekonton',
  cancel: 'Avbryt',
  save: 'Spara',
  empty: {
    title: 'Inget program har åtkomst än',
    text: 'Med en nyckel kan ett program använda API:et, till exempel formuläret på er webbplats som skapar leads. Skapa först ett tjänstekonto för programmet och sedan en nyckel till det.',
  },
  created: (day, maker) =>
    maker === null ? `Skapat ${day} av någon som har slutat` : `Skapat ${day} av ${maker}`,
  keysOf: (account) => `Nycklar för ${account}`,
  noKeys: 'Inga nycklar: inget program kan använda kontot än.',
  newKey: 'Ny nyckel',
  newKeyOf: (account) => `Ny nyckel för ${account}`,
  manage: 'Hantera',
  manageOf: (account) => `Hantera ${account}`,
  name: 'Namn',
  role: 'Roll',
  aboutRoles: {
    member: 'Nycklarna kan arbeta med leads och offerter och läsa vilka medlemmarna är.',
    admin: 'Nycklarna kan även radera leads och kunder permanent och läsa aktiviteten.',
  },
  create: {
    action: 'Nytt tjänstekonto',
    title: 'Nytt tjänstekonto',
    hint: 'Vad programmet gör, till exempel ”Webbformulär”.',
    submit: 'Skapa konto',
    done: (account) => `${account} är skapat. Skapa en nyckel till det härnäst.`,
  },
  change: {
    lower: 'Nycklarna kan göra mindre direkt.',
    done: 'Sparat.',
  },
  remove: {
    action: 'Ta bort kontot',
    sure: (account, keys) =>
      keys === 0
        ? `${account} tas bort. Det har inga nycklar, så inget slutar fungera. Det som kontot har skapat finns kvar.`
        : `${keys === 1 ? 'Nyckeln' : `De ${keys} nycklarna`} slutar fungera direkt: program som använder ${account} nekas. Det som kontot har skapat finns kvar. Det går inte att ångra.`,
    confirm: 'Ta bort kontot',
    done: (account) => `${account} är borttaget.`,
  },
  key: {
    ending: (characters) => `slutar på ${characters}`,
    everything: {
      member: 'Allt som en medlem får göra',
      admin: 'Allt som en administratör får göra',
    },
    permissions: {
      'leads:read': 'Läsa leads',
      'leads:write': 'Skapa, ändra och ta bort leads',
      'leads:erase': 'Radera leads permanent',
      'quotes:read': 'Läsa offerter och kunder',
      'quotes:write': 'Skapa, ändra och skicka offerter',
      'customers:erase': 'Radera kunder permanent',
      'users:read': 'Läsa personer',
      'audit:read': 'Läsa organisationens aktivitet',
    },
    subjects: {
      leads: 'Leads',
      quotes: 'Offerter och kunder',
      people: 'Personer',
      activity: 'Aktivitet',
    },
    used: (moment) => `Senast använd ${moment}`,
    neverUsed: 'Aldrig använd',
    expires: (remaining, day) => `Går ut ${remaining}, den ${day}`,
    expired: (day) => `Gick ut den ${day}`,
    badges: { expired: 'Har gått ut', soon: 'Går snart ut' },
    remove: 'Ta bort',
    removeOf: (key) => `Ta bort nyckeln ${key}`,
    removal: {
      title: (key) => `Ta bort nyckeln ${key}?`,
      unused: 'Den har aldrig använts. Ett program som har den nekas från och med nu.',
      used: (moment) =>
        `Den användes senast ${moment}. Programmet som använder den nekas direkt, tills du ger det en annan nyckel.`,
      expired: 'Den har gått ut och fungerar inte längre. Den försvinner bara från listan.',
      final: 'Det går inte att ångra.',
      confirm: 'Ta bort nyckeln',
      done: (key) => `Nyckeln ${key} är borttagen.`,
    },
  },
  newKeyForm: {
    title: (account) => `Ny nyckel för ${account}`,
    hint: 'Var nyckeln används, till exempel ”Servern i Uppsala”.',
    end: 'Fungerar i',
    lifetimes: { 30: '30 dagar', 90: '90 dagar', 365: 'Ett år' },
    ownDay: 'Till en dag som du väljer',
    until: (day) => `Till och med ${day}.`,
    announced: 'Ägarna får ett mejl två veckor innan.',
    lastDay: 'Sista dag',
    wrongDay: 'Välj en dag från i dag till ett år framåt.',
    may: 'Vad den får göra',
    chosen: 'Bara det du väljer',
    none: 'Välj minst en.',
    submit: 'Skapa nyckel',
  },
  shown: {
    title: 'Din nya nyckel',
    once: 'Nyckeln visas inte igen. Kopiera den nu och förvara den som ett lösenord.',
    key: 'Nyckel',
    copyKey: 'Kopiera nyckeln',
    curl: 'Prova den i en terminal',
    copyCurl: 'Kopiera kommandot',
    copied: 'Kopierat',
    uncopied: 'Kopiera för hand',
    done: 'Klar',
    unsaved: 'Du har inte kopierat nyckeln. När du stänger kan ingen se den igen.',
    keep: 'Låt den vara öppen',
    close: 'Stäng utan att kopiera',
  },
};
