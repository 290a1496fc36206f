import type { ExportWords } from './export.words.en.ts';

export const words: ExportWords = {
  title: 'Exportera organisationen',
  back: 'Organisation',
  about:
    'Varje del är ett ZIP-arkiv: alla tabeller som rader med JSON, och det som människor läser som CSV. I LÄSMIG.txt står vad som inte är med, och varför. Du bekräftar att det är du, och alla ägare får ett mejl.',
  limits:
    'Varje del kan exporteras två gånger i timmen. Det som är i en del är från ett och samma ögonblick, men de tre är inte från samma.',
  inIt: 'Med',
  notInIt: 'Inte med',
  parts: {
    leads: {
      title: 'Leads',
      inIt: 'Alla leads med historik och aktivitet, även borttagna som går att återställa.',
      notInIt:
        'Tidigare importer: de sparas några veckor för att kunna ångras. De leads som de skapade är med.',
    },
    quotes: {
      title: 'Offerter och kunder',
      inIt: 'Alla kunder och offerter med rader, beslut, avtal, nummerserier, logotyper och aktivitet, och de skickade offerternas PDF-filer.',
      notInIt:
        'De hemliga länkar som kunder öppnar offerter med: de fungerar bara här. Inte heller det som begränsar antalet brev per dygn.',
    },
    people: {
      title: 'Personer',
      inIt: 'Katalogen: namn, e-postadresser och roller. Den är till för att läsas.',
      notInIt: 'Konton, med lösenord och andra sätt att logga in: ett konto tillhör sin användare.',
    },
  },
  pdfs: 'PDF-filer av skickade offerter',
  pdfChoices: { all: 'Alla', none: 'Inga', year: 'Ett års' },
  pdfsHint: 'PDF-filer tar mest tid och plats.',
  year: 'År',
  yearHint: 'Det i offertnumret.',
  download: 'Exportera',
  downloadOf: (part) => `Exportera: ${part}`,
  running: 'Arkivet skrivs och hämtas. Ha sidan öppen: webbläsaren sparar arkivet när det är helt.',
  saved: (size) => `Webbläsaren har sparat arkivet, på ${size} MB.`,
  again: (file) => `Spara ${file} igen`,
  refusals: {
    RATE_LIMITED:
      'Varje del kan exporteras två gånger i timmen, och en organisation skriver ett arkiv av den i taget. En annan ägare kanske exporterar.',
    UPSTREAM_UNAVAILABLE:
      'En tjänst är borta: den som har den här delen, eller den som skriver till ägarna. De andra delarna fungerar kanske.',
    OFFLINE: 'Arkivet avbröts och sparades inte. Det kan ändå räknas som ett av två i timmen.',
    INSUFFICIENT_USER_AUTHENTICATION: 'Inget har exporterats.',
  },
  nowhere: {
    title: 'Inte i något arkiv',
    text: 'Inloggning, inbjudningar och åtkomst sköts för sig, och går inte att exportera än:',
    list: [
      'organisationens inställningar för åtkomst och dess egen aktivitet, till exempel inbjudningar och ändrade roller',
      'tjänstekonton och deras nycklar: en nyckel är hemlig, och bara ett kontrollvärde av den sparas',
      'domäner, enkel inloggning och kataloger, med sina hemligheter: de ställs in på nytt någon annanstans',
    ],
  },
  elsewhere: {
    title: 'För att fortsätta någon annanstans',
    text: 'Ge arkiven med leads och offerter till driftansvarig för den andra installationen av Tenantry: de läses in i en ny, tom organisation med kommandot i handboken för drift, och du bjuder in personerna där.',
  },
};
