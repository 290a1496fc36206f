import type { DialogWords } from './dialogs.words.en.ts';

export const words: DialogWords = {
  stepUp: {
    title: 'Bekräfta att det är du',
    password: 'Det här är en känslig ändring. Ange ditt lösenord för att fortsätta.',
    code: 'Det här är en känslig ändring. Ange en kod från din autentiseringsapp, eller en reservkod.',
    signIn: 'Det här är en känslig ändring. Logga in igen för att fortsätta.',
    confirm: 'Bekräfta',
  },
  rebind: {
    title: 'Du är på ett annat nätverk',
    text: 'Din session började någon annanstans. Bekräfta att det är du för att fortsätta här.',
    byPassword: 'Använd lösenordet i stället',
    byCode: 'Använd en kod i stället',
  },
  ended: {
    title: 'Din session har avslutats',
    text: (email) => `Logga in igen som ${email}. Det du har skrivit står kvar.`,
    other: 'Logga in som någon annan',
    atOrganization: (email) => `Du var inloggad som ${email} genom din organisation.`,
    signIn: 'Gå till inloggningen',
  },
  elsewhere: {
    title: 'Du bytte organisation i en annan flik',
    text: (former) => `Den här fliken visar ${former}, som inte längre är vald.`,
    follow: 'Fortsätt i den nya',
    back: (former) => `Byt tillbaka till ${former}`,
  },
};
