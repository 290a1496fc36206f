import type { PeopleWords } from './people.words.en.ts';

const people = (count: number): string => (count === 1 ? '1 person' : `${count} personer`);

export const words: PeopleWords = {
  title: 'Personer',
  search: 'Sök på namn eller adress',
  list: 'Personer',
  count: people,
  found: (count) => (count === 0 ? 'Ingen hittades' : people(count)),
  nothingFound: (typed) => `Ingen här har ”${typed}” i sitt namn eller sin adress.`,
  clear: 'Visa alla',
  you: 'Du',
  disabled: 'Inaktiverat',
  since: (day) => `Sedan ${day}`,
  more: 'Visa fler',
  manage: 'Hantera',
  manageOf: (name) => `Hantera ${name}`,
  alone: {
    title: 'Du är ensam här',
    text: 'Bjud in dina kollegor: var och en får ett mejl med en länk.',
  },
  facts: { email: 'E-postadress', role: 'Roll', since: 'Medlem sedan', account: 'Konto' },
  close: 'Stäng',
  cancel: 'Avbryt',
  name: {
    title: 'Namn',
    first: 'Förnamn',
    last: 'Efternamn',
    submit: 'Spara namn',
    done: 'Namnet är sparat.',
    own: 'Ändra ditt namn i ditt konto',
  },
  role: {
    title: 'Roll',
    label: 'Roll',
    submit: 'Byt roll',
    done: (name, role) => `${name} har nu rollen ${role}.`,
    about: {
      member: 'Arbetar med leads och offerter.',
      admin: 'Hanterar även personer och organisationens inställningar.',
      owner: 'Hanterar även ägare, inaktiverar konton och kan ta bort organisationen.',
    },
  },
  transfer: {
    action: 'Överlåt ägarskapet',
    sure: (name) => `Göra ${name} till ägare och dig själv till administratör?`,
    confirm: 'Överlåt ägarskapet',
  },
  disable: {
    action: 'Inaktivera kontot',
    sure: (name) => `${name} loggas ut överallt och kan inte logga in förrän du aktiverar kontot.`,
    confirm: 'Inaktivera',
    done: 'Kontot är inaktiverat.',
  },
  enable: { action: 'Aktivera kontot', done: 'Kontot är aktiverat.' },
  reset: {
    action: 'Återställ tvåstegsverifiering',
    sure: (name) =>
      `För en borttappad telefon: tvåstegsverifieringen slås av för ${name}, som loggas ut överallt. Kontrollera att det verkligen är den personen som ber om det.`,
    confirm: 'Återställ',
    done: 'Tvåstegsverifieringen är av för det här kontot.',
  },
  remove: {
    action: 'Ta bort',
    sure: (name) =>
      `${name} förlorar sin åtkomst direkt. Ett konto som den här organisationen har skapat raderas, om det inte också hör till en annan.`,
    confirm: 'Ta bort',
  },
  leave: {
    action: 'Lämna organisationen',
    sure: (organization) => `Lämna ${organization}? Du behöver en inbjudan för att komma tillbaka.`,
    confirm: 'Lämna',
  },
  wayOut: {
    lastOwner: 'Öppna en annan medlem och överlåt ägarskapet, eller ta bort organisationen.',
    toOrganization: 'Till organisationen',
    sharedAccount: 'Ta bort från den här organisationen i stället',
    unverified: 'Skicka bekräftelselänken till mig igen',
    sent: (email) => `En länk är på väg till ${email}.`,
    changed: 'Någon annan har ändrat den här personen under tiden. Det du skrev finns kvar.',
  },
  invite: {
    action: 'Bjud in',
    title: 'Bjud in personer',
    addresses: 'E-postadresser',
    addressesHint: 'En eller flera, åtskilda av kommatecken, mellanslag eller rader.',
    role: 'Roll',
    submit: (count) => (count > 1 ? `Bjud in ${people(count)}` : 'Bjud in'),
    none: 'Ange minst en adress.',
    sent: (emails) =>
      emails.length === 1
        ? `En inbjudan är på väg till ${emails[0]}.`
        : `${emails.length} inbjudningar är på väg.`,
    already: (email) => `${email} har en öppen inbjudan, som du kan skicka igen.`,
    sending: (done, count) => `${done} av ${count}`,
  },
  invitations: {
    title: 'Öppna inbjudningar',
    about: 'De går ut efter sju dagar.',
    as: (role) => `Som: ${role}`,
    by: (name) => `av ${name}`,
    until: (day) => `till och med ${day}`,
    again: 'Skicka igen',
    againOf: (email) => `Skicka igen till ${email}`,
    sentAgain: (email) => `En ny inbjudan är på väg till ${email}.`,
    withdraw: 'Dra tillbaka',
    withdrawOf: (email) => `Dra tillbaka inbjudan till ${email}`,
  },
  create: {
    action: 'Skapa konto',
    title: 'Skapa ett konto',
    about: 'För någon som ska logga in med ett lösenord som du ger dem. De kan byta det.',
    email: 'E-postadress',
    first: 'Förnamn',
    last: 'Efternamn',
    password: 'Lösenord',
    show: 'Visa',
    hide: 'Dölj',
    submit: 'Skapa konto',
    done: (email) => `${email} kan logga in nu.`,
  },
};
