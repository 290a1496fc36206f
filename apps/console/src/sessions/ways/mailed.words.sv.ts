import type { MailedWords } from './mailed.words.en.ts';

export const words: MailedWords = {
  link: 'Du öppnade länken i ett brev att logga in med.',
  about: 'Vi mejlar dig en kod att logga in med, utan lösenord.',
  send: 'Skicka koden',
  sent: (email) => `Om ${email} kan logga in här är ett brev med en kod på väg.`,
  sentThere: 'Ett brev med en kod är på väg till kontots adress. Koden slutför inloggningen.',
  sentAgain: 'Ett nytt brev är på väg. Bara dess kod fungerar från och med nu.',
  label: 'Koden i brevet',
  hint: 'Åtta siffror.',
  left: (seconds) =>
    seconds > 60
      ? `Koden fungerar i ${Math.ceil(seconds / 60)} minuter till.`
      : `Koden fungerar i ${seconds} s till.`,
  over: 'Koden har troligen gått ut. Skicka ett nytt brev.',
  wrong: 'Koden är fel eller har gått ut. Kontrollera den, eller skicka ett nytt brev.',
  resend: 'Skicka ett nytt brev',
  otherAddress: 'Använd en annan adress',
};
