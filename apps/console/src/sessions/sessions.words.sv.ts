import type { SessionWords } from './sessions.words.en.ts';

export const words: SessionWords = {
  title: 'Logga in',
  email: 'E-postadress',
  password: 'Lösenord',
  show: 'Visa',
  hide: 'Dölj',
  signIn: 'Logga in',
  forgot: 'Glömt lösenordet?',
  resend: 'Fick du inget mejl för att bekräfta din adress?',
  byMail: 'Skicka en kod till mig',
  byOrganization: 'Fortsätt med din organisation',
  byPassword: 'Använd lösenordet',
  noAccount: 'Inget konto än?',
  signUp: 'Skapa ett',
  cancel: 'Avbryt',
  code: {
    title: 'Ange din kod',
    label: 'Kod',
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
};
