import type { WaysWords } from './ways.words.en.ts';

export const words: WaysWords = {
  byPasskey: 'Logga in med en lösennyckel',
  usePasskey: 'Använd en lösennyckel',
  continueWith: (provider) => `Fortsätt med ${provider}`,
  passkeyOnly: 'Bekräfta med en av dina lösennycklar eller med en reservkod.',
  organization: {
    about: 'Om din organisation har enkel inloggning loggar du in på dess egen sida.',
    submit: 'Fortsätt',
    unknown: 'Ingen organisation loggar in folk med den adressen. Logga in på ett annat sätt.',
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
