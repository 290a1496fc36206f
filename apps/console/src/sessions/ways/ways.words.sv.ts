import type { WaysWords } from './ways.words.en.ts';

export const words: WaysWords = {
  byPasskey: 'Logga in med en lösennyckel',
  usePasskey: 'Använd en lösennyckel',
  continueWith: (provider) => `Fortsätt med ${provider}`,
  passkeyOnly: 'Bekräfta med en av dina lösennycklar eller med en reservkod.',
  back: {
    title: 'Loggar in',
    linking: 'Länkar ditt konto',
    wait: 'Ett ögonblick.',
    failed: 'Det gick inte',
    signIn: 'Till inloggningen',
    account: 'Till ditt konto',
    errors: {
      ACCESS_DENIED: 'Du tillät det inte där. Börja om eller använd ett annat sätt.',
      PROVIDER_UNAVAILABLE: 'Tjänsten går inte att nå just nu. Försök igen om en stund.',
      PROVIDER_REFUSED: 'Tjänsten släppte inte in dig. Börja om eller använd ett annat sätt.',
    },
  },
};
