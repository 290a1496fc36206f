import type { ShellWords } from './shell.words.en.ts';

export const words: ShellWords = {
  skip: 'Hoppa till sidan',
  account: 'Ditt konto',
  signOut: 'Logga ut',
  menu: (name) => `${name}: konto och utloggning`,
  navigation: {
    label: 'Sidor',
    more: 'Mer',
    names: {
      home: 'Hem',
      leads: 'Leads',
      quotes: 'Offerter',
      customers: 'Kunder',
      people: 'Personer',
      organization: 'Organisation',
      activity: 'Aktivitet',
    },
  },
  toasts: { label: 'Meddelanden', undo: 'Ångra', dismiss: 'Stäng' },
  theme: { legend: 'Utseende', system: 'Som enheten', light: 'Ljust', dark: 'Mörkt' },
  unconfirmed: {
    text: (email) =>
      `Bekräfta din adress med länken som skickades till ${email}. Innan dess kan du inte skicka offerter eller bjuda in någon.`,
    send: 'Skicka länken igen',
    sent: (email) => `En ny länk är på väg till ${email}.`,
  },
  forbidden: {
    title: 'Du saknar behörighet',
    text: 'Din roll i organisationen ger inte tillgång till sidan. En administratör eller ägare kan ändra den.',
    home: 'Till startsidan',
  },
  outOfReach: {
    title: 'Ingen anslutning',
    text: 'Den här sidan har inte varit öppen än och behöver en anslutning. Den öppnas av sig själv när du är ansluten.',
  },
};
