import type { ActorWords } from './actor.words.en.ts';

export const words: ActorWords = {
  unknown: 'Någon',
  gone: 'En tidigare användare',
  serviceAccount: (name) => (name === null ? 'Ett tjänstekonto' : `${name} (tjänstekonto)`),
  directory: (name) => (name === null ? 'En katalog' : `Katalogen i ${name}`),
  operator: 'Driften',
  job: 'Tenantry',
  customer: 'En kund',
};
