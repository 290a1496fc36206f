import type { SessionWords } from './sessions.words.en.ts';

export const words: SessionWords = {
  title: 'Logga in',
  email: 'E-postadress',
  password: 'Lösenord',
  show: 'Visa',
  hide: 'Dölj',
  signIn: 'Logga in',
  goOn: 'Fortsätt',
  forgot: 'Glömt lösenordet?',
  resend: 'Fick du inget mejl för att bekräfta din adress?',
  byMail: 'Skicka en kod till mig',
  byPassword: 'Använd lösenordet',
  noAccount: 'Inget konto än?',
  signUp: 'Skapa ett',
  cancel: 'Avbryt',
  code: {
    title: 'Ange din kod',
    label: 'Kod',
  },
};
