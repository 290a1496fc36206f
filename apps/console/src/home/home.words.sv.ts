import type { HomeWords } from './home.words.en.ts';

export const words: HomeWords = {
  title: (name) => `Välkommen, ${name}`,
  facts: { role: 'Din roll', slug: 'Kortnamn', since: 'Sedan' },
  choose: {
    title: 'Välj en organisation',
    text: 'Du hör till flera, och ingen är vald. Välj en ovan.',
  },
  create: {
    title: 'Skapa din organisation',
    text: 'Leads, offerter och personer hör till en organisation. Skapa en, eller be en kollega bjuda in dig till sin.',
    action: 'Skapa organisation',
  },
  refused: {
    title: 'Din organisation kräver tvåstegsverifiering',
    text: 'Ställ in den för ditt konto och välj sedan organisationen igen ovan.',
    action: 'Till ditt konto',
  },
  secure: {
    title: 'Skydda ditt konto',
    text: 'Med tvåstegsverifiering räcker det inte med ett stulet lösenord för att logga in som du.',
    action: 'Slå på tvåstegsverifiering',
  },
  build: {
    title: 'Bygg på API:et',
    text: 'Allt här görs genom ett API som är öppet för dina egna program.',
    action: 'Läs API-referensen',
  },
};
