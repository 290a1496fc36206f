import type { ExportWords } from './export.words.en.ts';

export const words: ExportWords = {
  title: 'Exportera organisationen',
  back: 'Organisation',
  about:
    'Varje del är ett ZIP-arkiv: alla tabeller som rader med JSON, och det som människor läser som CSV. I LÄSMIG.txt står vad som inte är med, och varför. Du bekräftar att det är du, och alla ägare får ett mejl.',
  limits:
    'Varje del kan exporteras två gånger i timmen. Det som är i en del är från ett och samma ögonblick, men de fyra är inte från samma.',
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
    organization: {
      title: 'Organisation och åtkomst',
      inIt: 'Inställningar och logotyp, medlemmar och öppna inbjudningar, tjänstekonton, domäner, anslutningar, katalogers grupper och organisationens aktivitet.',
      notInIt: 'Nycklar, token och andra hemligheter. Personer i en katalog: den skickar dem på nytt.',
    },
  },
  pdfs: 'PDF-filer av skickade offerter',
  pdfChoices: { all: 'Alla', none: 'Inga', year: 'Ett års' },
  pdfsHint: 'PDF-filer tar mest tid och plats.',
  year: 'År',
  yearHint: 'Det i offertnumret.',
  download: 'Exportera',
  downloadOf: (part) => `Exportera: ${part}`,
  begun: (file) =>
    `Webbläsaren hämtar ${file}. Du kan lämna sidan, men var inloggad tills filen är sparad. Säger webbläsaren att det misslyckades, exportera igen: ett arkiv utan manifest.json är inte helt.`,
  refusals: {
    RATE_LIMITED:
      'Varje del kan exporteras två gånger i timmen, och en organisation skriver ett arkiv av den i taget. En annan ägare kanske exporterar.',
    UPSTREAM_UNAVAILABLE:
      'En tjänst är borta: den som har den här delen, eller den som skriver till ägarna. De andra delarna fungerar kanske.',
    INSUFFICIENT_USER_AUTHENTICATION: 'Inget har exporterats.',
  },
  nowhere: {
    title: 'Inte i något arkiv',
    text: 'En del fungerar bara här, eller tillhör någon annan:',
    list: [
      'lösenord, passkeys och sessioner: ett konto tillhör sin användare',
      'tjänstekontons nycklar, katalogers token och anslutningars hemligheter: av de flesta sparas bara ett kontrollvärde',
      'det som bevisar era domäner för den här installationen',
    ],
  },
  elsewhere: {
    title: 'För att fortsätta någon annanstans',
    text: 'Ge arkiven med leads, offerter och organisation till driftansvarig för den andra installationen av Tenantry: de läses in i en ny organisation med kommandot i handboken för drift. Inställningar och logotyp följer med, och personerna väntar bland inbjudningarna tills du skickar dem. Tjänstekonton, domäner och enkel inloggning ställs in på nytt.',
  },
};
