import type { DirectoryWords } from './directory.words.en.ts';

export const words: DirectoryWords = {
  title: 'Katalog',
  about:
    'Er katalog kan lägga till och ta bort personer av sig själv, med SCIM. Den som tas bort där har ingen åtkomst här inom en sekund. Den når personer med en adress i en bekräftad domän, och ingen ägare som inte har kopplat sitt konto.',
  address: 'Ge den den här adressen',
  copy: 'Kopiera katalogens adress',
  copied: 'Kopierat',
  uncopied: 'Kopiera för hand',
  people: (people) =>
    people === 0
      ? 'Den hanterar ingen ännu.'
      : `Den hanterar ${people === 1 ? 'en person' : `${people} personer`}, de som har slutat inräknade.`,
  tokens: 'Katalogens token',
  none: 'Den har ingen token ännu och kan inte göra något.',
  ending: (ending) => `Token som slutar på ${ending}`,
  created: (when, by) => (by === null ? `Skapad ${when}` : `Skapad ${when} av ${by}`),
  used: (when) => `Användes senast ${when}`,
  neverUsed: 'Aldrig använd',
  create: 'Ny token',
  remove: {
    action: (ending) => `Ta bort …${ending}`,
    sure: 'Katalogen kan genast inte göra något med den längre.',
    confirm: 'Ta bort token',
    done: 'Token togs bort.',
  },
  shown: {
    title: 'Er nya token',
    once: 'Denna token visas inte igen. Kopiera den nu, och klistra in den där er katalog frågar efter en token.',
    token: 'Token',
    copyToken: 'Kopiera token',
    copied: 'Kopierat',
    uncopied: 'Kopiera för hand',
    done: 'Klar',
    unsaved: 'Du har inte kopierat den. När det här har stängts kan ingen se den igen.',
    keep: 'Låt den vara öppen',
    close: 'Stäng utan att kopiera',
  },
  groups: {
    title: 'Grupper och roller',
    about:
      'De som är med i en grupp har genast rollen som du ger den, och förlorar den när de lämnar gruppen. Av flera grupper gäller den högsta rollen. Ägare förblir ägare.',
    none: 'Den har inga grupper. När den skickar några kan du ge roller efter dem här.',
    people: (people) =>
      people === 0 ? 'Ingen är med i den' : people === 1 ? 'En person' : `${people} personer`,
    roles: { none: 'Ger ingen roll', member: 'Medlemmar', admin: 'Administratörer' },
    done: (group, role) => `${group}: ${role}.`,
    more: (count) => `Visa ${count} till`,
  },
  cancel: 'Avbryt',
};
