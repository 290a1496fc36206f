import type { RecoveryWords } from './recovery.words.en.ts';

export const words: RecoveryWords = {
  email: 'E-postadress',
  show: 'Visa',
  hide: 'Dölj',
  signIn: 'Till inloggningen',
  goOn: 'Fortsätt',
  forgot: {
    title: 'Välj ett nytt lösenord',
    about: 'Ange din adress. Om den har ett konto skickar vi en länk där du väljer ett nytt lösenord.',
    submit: 'Skicka länken',
    sentTitle: 'Titta i din e-post',
    sent: (email) =>
      `Om ${email} har ett konto är en länk på väg. Den fungerar en gång och i en timme. Kom inget? Titta i skräpposten.`,
    again: 'Skicka till en annan adress',
  },
  reset: {
    title: 'Välj ett nytt lösenord',
    password: 'Nytt lösenord',
    passwordRule: (minLength) =>
      `Minst ${minLength} tecken; inget vanligt, och inte ditt namn eller din adress.`,
    about: 'Alla dina sessioner avslutas: den som kände till det gamla lösenordet loggas ut.',
    submit: 'Spara lösenordet',
    doneTitle: 'Ditt lösenord är bytt',
    done: 'Alla dina sessioner har avslutats. Logga in med det nya lösenordet.',
    noToken: 'Öppna sidan från länken i ett mejl. Du kan be om en här.',
    ask: 'Be om en länk',
  },
  verify: {
    title: 'Bekräfta din e-postadress',
    about: 'Bekräfta bara om det var du som bad om mejlet.',
    submit: 'Bekräfta',
    doneTitle: 'Din adress är bekräftad',
    done: (email) => `${email} är bekräftad. Du kan logga in med den.`,
    doneElsewhere: (email) =>
      `${email} är bekräftad. Du registrerade dig inte på den här enheten, så för säkerhets skull har lösenordet och allt annat som var inställt tagits bort. Välj ett lösenord som bara du känner till.`,
    choosePassword: 'Välj ett lösenord',
    signInFirst: 'Länken ändrar ett kontos adress: logga först in på det kontot.',
    resendTitle: 'Bekräfta din e-postadress',
    resend:
      'Kom inget mejl, eller gäller länken inte längre? Ange din adress, så skickar vi ett nytt om den inte är bekräftad.',
    resendSubmit: 'Skicka igen',
    resent: (email) => `Om ${email} ännu inte är bekräftad är ett mejl på väg.`,
  },
};
