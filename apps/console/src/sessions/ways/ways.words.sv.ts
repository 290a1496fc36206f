import type { WaysWords } from './ways.words.en.ts';

export const words: WaysWords = {
  byPasskey: 'Logga in med en lösennyckel',
  usePasskey: 'Använd en lösennyckel',
  continueWith: (provider) => `Fortsätt med ${provider}`,
  passkeyOnly: 'Bekräfta med en av dina lösennycklar eller med en reservkod.',
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
    },
  },
};
