import type { HomeWords } from './home.words.en.ts';

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

export const words: HomeWords = {
  title: (name) => `Välkommen, ${name}`,
  choose: {
    title: 'Välj en organisation',
    text: 'Du hör till flera organisationer, och ingen är vald. Välj en ovan.',
  },
  create: {
    title: 'Skapa din organisation',
    text: 'Leads, offerter och personer hör till en organisation. Skapa en, eller be en kollega bjuda in dig till sin.',
    action: 'Skapa organisation',
  },
  refused: {
    title: 'Din organisation kräver tvåstegsverifiering',
    text: 'Ställ in den för ditt konto och välj sedan organisationen igen ovan.',
    action: 'Till ditt konto',
  },
  refusedBySso: {
    title: (name) => `${name} vill att du loggar in genom den`,
    text: 'Dina egna sätt att logga in når inte den här organisationen. Fortsätt med kontot som du fått av den.',
    action: 'Fortsätt med din organisation',
  },
  join: {
    title: (name) => `Gå med i ${name}`,
    text: (domain) =>
      `Den här organisationen är öppen för personer med en adress i ${domain}. Du går med som medlem.`,
    twoFactor: 'Den kräver tvåstegsverifiering: ställ först in den för ditt konto.',
    action: 'Gå med',
  },
  secure: {
    title: 'Skydda ditt konto',
    text: 'Med tvåstegsverifiering räcker det inte med ett stulet lösenord för att logga in som du.',
    action: 'Slå på tvåstegsverifiering',
  },
  steps: {
    title: 'Första stegen',
    dismiss: 'Stäng',
    done: 'Klart',
    letterhead: {
      title: 'Berätta vilka ni är',
      text: 'Adress, momsnummer och logotyp står på varje offert.',
    },
    lead: {
      title: 'Lägg till ditt första lead',
      text: 'Någon som kan köpa av er: skriv in ett, eller importera en lista.',
    },
    quote: {
      title: 'Skriv din första offert',
      text: 'Skicka den härifrån; kunden accepterar den i en webbläsare.',
    },
  },
  beginning: {
    title: 'Ingenting väntar på dig än',
    text: 'Här visas offerter utan svar och leads att kontakta, med vad de är värda.',
    quote: 'Skriv din första offert',
    lead: 'Lägg till ett lead',
  },
  waiting: {
    title: 'Väntar på dig',
    endingTitle: 'Går ut inom en vecka',
    openedTitle: 'Öppnade, inte besvarade',
    unansweredTitle: 'Inte besvarade',
    untouchedTitle: 'Leads som ingen har kontaktat',
    acceptedTitle: 'Accepterade den här veckan',
    none: 'Alla skickade offerter har fått svar, och alla leads är kontaktade.',
    noneSent: 'Ingen offert har skickats än.',
    all: 'Visa alla',
    sent: (ago) => `Skickad ${ago}`,
    opened: (ago) => `Öppnad ${ago}`,
    until: (day) => `Giltig till ${day}`,
  },
  figures: {
    title: 'Vad offerterna är värda',
    draft: 'Utkast',
    sent: 'Väntar på svar',
    expired: 'Utgångna utan svar',
    accepted: 'Accepterade på tolv veckor',
    share: (percent) => `${percent} av alla svar`,
  },
  chart: {
    table: 'Visa siffrorna',
  },
  leads: {
    title: (added, won) =>
      `${count(added, 'nytt lead', 'nya leads')} och ${won} vunna de senaste tolv veckorna`,
    about: 'Leads som kom till varje status, vecka för vecka, och hur många som har den nu.',
    statuses: {
      new: 'Nya',
      contacted: 'Kontaktade',
      qualified: 'Kvalificerade',
      won: 'Vunna',
      lost: 'Förlorade',
    },
    table: 'Leads som kom till varje status, per vecka',
    week: 'Vecka från',
    now: 'Nu',
    bar: (leads, week) => `${count(leads, 'lead', 'leads')} veckan från ${week}`,
  },
  quotes: {
    statuses: {
      sent: 'Skickade',
      accepted: 'Accepterade',
      rejected: 'Avböjda',
    },
    count: (quotes) => count(quotes, 'offert', 'offerter'),
  },
  pace: {
    title: (sent, accepted) =>
      `${count(sent, 'skickad offert', 'skickade offerter')} och ${accepted} accepterade de senaste tolv veckorna`,
    about: 'Offerter som skickades och besvarades, vecka för vecka, med värde inklusive moms.',
    table: 'Offerter som skickades och besvarades, per vecka',
    bar: (quotes, week) => `${quotes} veckan från ${week}`,
    between: ', ',
  },
};
