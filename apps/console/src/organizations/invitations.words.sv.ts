import type { InvitationWords } from './invitations.words.en.ts';

export const words: InvitationWords = {
  title: 'Du är inbjuden',
  to: (organization) => `Gå med i ${organization}`,
  by: (inviter, organization) => `${inviter} bjuder in dig till ${organization}.`,
  byNobody: (organization) => `Du är inbjuden till ${organization}.`,
  as: 'Som',
  for: 'För',
  until: 'Till och med',
  accept: 'Acceptera',
  decline: 'Tacka nej',
  declineSure: 'Tacka nej till inbjudan?',
  declined: { title: 'Du har tackat nej', text: 'Du kan stänga sidan.' },
  signedOut: 'Logga in med den här adressen för att acceptera, eller skapa ett konto för den.',
  signIn: 'Logga in',
  signUp: 'Skapa ett konto',
  other: {
    text: (mine, theirs) => `Du är inloggad som ${mine}, och inbjudan gäller ${theirs}.`,
    change: 'Logga ut och fortsätt med den adressen',
  },
  noToken: 'Öppna sidan från länken i din inbjudan.',
  home: 'Till startsidan',
  cancel: 'Avbryt',
};
