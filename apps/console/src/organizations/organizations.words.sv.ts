import type { OrganizationWords } from './organizations.words.en.ts';

export const words: OrganizationWords = {
  roles: { owner: 'Ägare', admin: 'Administratör', member: 'Medlem' },
  menu: {
    label: (active) => `Organisation: ${active}`,
    list: 'Dina organisationer',
    none: 'Ingen organisation',
    search: 'Sök',
    nothingFound: 'Ingen av dina organisationer matchar.',
    locked: 'Kräver tvåstegsverifiering, som ditt konto inte har än.',
    unlock: 'Ställ in den',
    lockedBySso: 'Vill att du loggar in genom den.',
    continueBy: 'Fortsätt med din organisation',
    create: 'Ny organisation',
    join: (name) => `Gå med i ${name}`,
    joinBy: (domain) => `Öppen för adresser i ${domain}`,
  },
  create: {
    title: 'Ny organisation',
    name: 'Namn',
    slug: 'Kortnamn',
    slugHint: 'Används i adresser och är unikt: 3 till 48 tecken, a till z, 0 till 9 och bindestreck.',
    submit: 'Skapa organisation',
    cancel: 'Avbryt',
  },
};
