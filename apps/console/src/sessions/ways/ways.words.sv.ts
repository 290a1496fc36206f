import type { WaysWords } from './ways.words.en.ts';

export const words: WaysWords = {
  byPasskey: 'Logga in med en lösennyckel',
  usePasskey: 'Använd en lösennyckel',
  continueWith: (provider) => `Fortsätt med ${provider}`,
  passkeyOnly: 'Bekräfta med en av dina lösennycklar eller med en reservkod.',
  organization: {
    go: 'Fortsätt med din organisation',
    other: 'Använd en annan adress',
    unknown: 'Ingen organisation loggar in folk med den här länken. Logga in med din adress.',
  },
  code: {
    hint: 'De sex siffrorna i din autentiseringsapp, eller en av dina reservkoder.',
    submit: 'Fortsätt',
    back: 'Använd ett annat konto',
    lost: 'Förlorat båda?',
    lostHelp:
      'En ägare av din organisation kan slå av tvåstegsverifieringen åt dig. Annars kan driften göra det.',
    next: (seconds) => `Varje kod fungerar en gång. Nästa kommer om ${seconds} s.`,
  },
  cookies: {
    title: 'Din webbläsare höll dig inte inloggad',
    text: 'Inloggningen lyckades, men webbläsaren sparade inte den cookie som håller dig inloggad.',
    help: 'Webbläsare sparar den bara över HTTPS och på localhost. Öppna sidan på en sådan adress, eller använd en nyare webbläsare.',
  },
  back: {
    title: 'Loggar in',
    linking: 'Kopplar ditt konto',
    wait: 'Ett ögonblick.',
    failed: 'Det gick inte',
    signIn: 'Till inloggningen',
    account: 'Till ditt konto',
    errors: {
      ACCESS_DENIED: 'Åtkomst gavs inte. Börja om eller logga in på ett annat sätt.',
      PROVIDER_UNAVAILABLE: 'Leverantören går inte att nå just nu. Försök igen om en stund.',
      PROVIDER_REFUSED: 'Leverantören nekade inloggningen. Börja om eller logga in på ett annat sätt.',
      INVALID_STATE: 'Den här inloggningen är över. Börja om.',
      RATE_LIMITED: 'För många loggar in samtidigt. Försök igen om en minut.',
      EMAIL_MISSING: 'Din organisation skickade ingen e-postadress för dig. Fråga din administratör.',
      DOMAIN_NOT_VERIFIED: 'Din organisation får inte tala för din e-postadress. Fråga din administratör.',
      EMAIL_NOT_VERIFIED:
        'Det finns ett konto med din e-postadress som inte är bekräftat. Återställ dess lösenord för att bekräfta det och börja om.',
      LINK_REQUIRED: 'Du äger organisationen. Logga in med två faktorer och koppla enkel inloggning först.',
      IDENTITY_IN_USE: 'Det här kontot hör till någon annan hos din organisation. Fråga din administratör.',
      MEMBER_REMOVED: 'Organisationen har tagit bort dig. Be den om en inbjudan.',
      INVALID_CREDENTIALS: 'Det här kontot kan inte användas. Fråga din administratör.',
    },
  },
};
