import type { MailedWords } from './mailed.words.en.ts';

export const words: MailedWords = {
  link: 'Du öppnade en inloggningslänk.',
  about: 'Vi mejlar dig en kod att logga in med. Du behöver inget lösenord.',
  send: 'Skicka koden',
  sent: (email) => `Om ${email} kan logga in här är ett mejl med en kod på väg.`,
  sentThere: 'Ett mejl med en kod är på väg till kontots adress. Koden slutför inloggningen.',
  sentAgain: 'Ett nytt mejl är på väg. Bara dess kod fungerar från och med nu.',
  label: 'Koden i mejlet',
  hint: 'Åtta siffror. Kommer inget nytt mejl fungerar koden i det senaste.',
  left: (seconds) =>
    seconds > 60
      ? `Koden fungerar i ${Math.ceil(seconds / 60)} minuter till.`
      : `Koden fungerar i ${seconds} s till.`,
  over: 'Koden har troligen gått ut. Skicka en ny.',
  wrong: 'Koden är fel eller har gått ut. Kontrollera den, eller skicka en ny.',
  resend: 'Skicka en ny kod',
  otherAddress: 'Använd en annan adress',
};
