import type { SsoRequirementWords } from './sso-requirement.words.en.ts';

export const words: SsoRequirementWords = {
  title: 'Kräv den',
  about:
    'Medlemmar med en adress i en bekräftad domän kommer då in genom er identitetsleverantör och inte på något annat sätt. Gäster med en annan adress och program berörs inte.',
  owners:
    'Ägare behåller ett eget sätt, med två faktorer, om identitetsleverantören inte fungerar. Alla ägare får ett mejl varje gång.',
  allKnow: 'Alla som berörs har loggat in genom den förut.',
  lockedOut: (total) =>
    total === 1
      ? 'En medlem har aldrig loggat in genom den och förlorar åtkomst tills det sker:'
      : `${total} medlemmar har aldrig loggat in genom den och förlorar åtkomst tills de gör det:`,
  more: (total) => `och ${total} till`,
  untried:
    'Prova den först: koppla ditt eget konto och logga sedan in genom identitetsleverantören i ett privat fönster. Därefter har du en timme på dig att kräva den.',
  tried: (until) => `Du har loggat in genom den. Du kan kräva den till ${until}.`,
  require: 'Kräv enkel inloggning',
  sure: (total) =>
    total === 0
      ? 'Alla som berörs kommer från och med nu in genom identitetsleverantören.'
      : `Alla som berörs kommer från och med nu in genom identitetsleverantören. ${total === 1 ? 'En medlem har' : `${total} medlemmar har`} aldrig gjort det.`,
  confirm: 'Kräv den nu',
  required: 'Enkel inloggning krävs nu.',
  on: 'Den krävs. De som berörs kommer bara in genom er identitetsleverantör.',
  stop: 'Sluta kräva den',
  stopSure: 'Alla kommer åter in med sina egna sätt att logga in.',
  stopped: 'Enkel inloggning krävs inte längre.',
  account: 'Till ditt konto',
  cancel: 'Avbryt',
};
