import type { WaysInWords } from './ways-in.words.en.ts';

export const words: WaysInWords = {
  title: 'Sätt att logga in',
  about:
    'Lägg till ett andra sätt, så att du inte stängs ute om du förlorar ett. Det sista kan inte tas bort.',
  list: 'Dina sätt att logga in',
  password: 'Lösenord',
  noPassword: 'Du har inget lösenord. För att välja ett, begär en länk via e-post.',
  choosePassword: 'Välj ett lösenord',
  mailed: 'Kod via e-post',
  mailedAbout: 'Skickas till din bekräftade adress',
  passkey: 'Lösennyckel',
  added: (day) => `Tillagd ${day}`,
  used: (ago) => `Använd ${ago}`,
  neverUsed: 'Inte använd än',
  synced: 'Synkad till flera enheter',
  remove: 'Ta bort',
  removeOf: (name) => `Ta bort ${name}`,
  unlink: 'Koppla bort',
  unlinkOf: (name) => `Koppla bort ${name}`,
  passkeyName: 'Namn på den nya lösennyckeln',
  passkeyHint: 'Så att du känner igen den: din telefon, din nyckel.',
  passkeysAt: 'Webbläsare har lösennycklar bara för namn. Öppna sidan här för att lägga till en:',
  addPasskey: 'Lägg till en lösennyckel',
  link: (provider) => `Koppla ${provider}`,
};
