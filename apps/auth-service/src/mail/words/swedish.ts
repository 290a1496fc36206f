import { shownDomain, shownEmail } from '@tenantry/text';
import type { SignUpDetails, TemplateData } from '../letter.ts';
import { displayName, namesMax } from './display-name.ts';
import type { LetterWords, Moment, Words } from './words.ts';

const hello = (name: string | null): string => (name === null ? 'Hej,' : `Hej ${displayName(name)},`);
const quoted = (name: string): string => `”${displayName(name)}”`;

function listed(names: readonly string[]): string {
  const more = names.length > namesMax ? ` och ${names.length - namesMax} till` : '';
  return names.slice(0, namesMax).map(quoted).join(', ') + more;
}

function replacement({ at, browser, system }: SignUpDetails, moment: Moment): string {
  const from = [browser, system].filter((part) => part !== null).join(' på ');
  const device = from === '' ? '' : ` med ${from}`;
  return `Någon hade redan registrerat sig med den här adressen, men den registreringen gäller inte längre. Det här mejlet hör till registreringen ${moment(at)}${device}, och det är dess lösenord som kommer att fungera. Om det inte var du ska du inte bekräfta: registrera dig igen.`;
}

const proofs = {
  'mailed-code': 'en inloggning med en mejlad kod',
  provider: 'en inloggning med en leverantör som går i god för den',
  link: 'länken som mejlades till dig',
  invitation: 'inbjudan som mejlades till dig',
} as const;

function recoveries(undone: TemplateData['account-recovered']): string[] {
  const { by, scope, passwordRemoved, waysRemoved, secondFactorRemoved, others, organizations } = undone;
  const proven = by
    ? `Din e-postadress är bekräftad för första gången, genom ${proofs[by]}.`
    : 'Ditt lösenord har ändrats och din e-postadress är bekräftad för första gången.';
  const why =
    scope === 'everything'
      ? 'Någon annan kan ha skapat kontot, så det som var inställt tidigare är borttaget och alla sessioner är avslutade.'
      : 'Det som kom från andra enheter än den som registrerade kontot är borttaget och deras sessioner är avslutade.';
  return [
    `${proven} ${why}`,
    ...(by && passwordRemoved
      ? ['Det tidigare lösenordet fungerar inte längre: återställ det och välj ett som bara du känner till.']
      : []),
    ...(waysRemoved
      ? ['Det går inte längre att logga in med passkeys och länkade konton som lades till tidigare.']
      : []),
    ...(secondFactorRemoved
      ? ['Tvåstegsverifieringen som var inställd tidigare är avstängd. Ställ in din egen.']
      : []),
    ...(others.length > 0
      ? [
          `Du äger din personliga organisation. Med i den, från och med nu som vanliga medlemmar: ${listed(others)}. Ta bort dem som du inte känner.`,
        ]
      : []),
    ...(organizations.length > 0
      ? [`Kontot hör också till ${listed(organizations)}. Lämna dem som du inte känner.`]
      : []),
  ];
}

const roles: Readonly<Record<string, string>> = { owner: 'ägare', admin: 'administratör', member: 'medlem' };

const resetIt = 'Var det inte du? Återställ lösenordet: då avslutas alla sessioner.';
const resetAction = 'Återställ lösenordet';

/** A letter about something that somebody else may have done: its reader can reset the password. */
const warning = (subject: string, name: string | null, paragraph: string): LetterWords => ({
  subject,
  paragraphs: [hello(name), paragraph, resetIt],
  action: resetAction,
});

/** Letters in Swedish. */
export const swedish: Words = {
  'verify-email': ({ name, replaces }, moment) => ({
    subject: 'Bekräfta din e-postadress',
    paragraphs: [
      hello(name),
      'Bekräfta att den här e-postadressen är din. Om du inte har bett om det här mejlet har någon annan angett din adress: bekräfta då inte.',
      'På enheten där du registrerade dig ändras inget annat. På en annan enhet väljer du sedan ett nytt lösenord.',
      ...(replaces ? [replacement(replaces, moment)] : []),
    ],
    action: 'Bekräfta',
  }),
  'reset-password': ({ name }) => ({
    subject: 'Återställ ditt lösenord',
    paragraphs: [
      hello(name),
      'Du kan välja ett nytt lösenord inom en timme. Om du inte har bett om det kan du bortse från mejlet.',
    ],
    action: 'Välj ett nytt lösenord',
  }),
  invitation: ({ inviterName, organizationName, role }) => ({
    subject: 'Du är inbjuden till en organisation',
    paragraphs: [
      `${quoted(inviterName)} bjuder in dig till ${quoted(organizationName)} som ${roles[role] ?? role}.`,
      'Inbjudan gäller i sju dagar, och bara för den här e-postadressen.',
    ],
    action: 'Tacka ja till inbjudan',
    hint: 'Logga först in med den här adressen. Har du inget konto än? Skicka med koden som invitationToken när du registrerar dig.',
  }),
  'password-changed': ({ name }) => ({
    subject: 'Ditt lösenord har ändrats',
    paragraphs: [
      hello(name),
      'Ditt lösenord har ändrats och dina andra sessioner har avslutats. Var det inte du? Återställ lösenordet: då avslutas alla sessioner.',
    ],
    action: resetAction,
  }),
  'sign-in-code': ({ name, code }) => ({
    subject: 'Din kod för att logga in',
    paragraphs: [
      hello(name),
      `Din kod är ${code}. Skriv in den där du började logga in, inom tio minuter.`,
      'Eller öppna länken på samma enhet och bekräfta där. Vi frågar aldrig efter koden. Om du inte har bett om det här mejlet kan du bortse från det.',
    ],
    action: 'Logga in',
  }),
  'account-recovered': (undone) => ({
    subject: undone.by === undefined ? 'Ditt lösenord har ändrats' : 'Ditt konto är nu bara ditt',
    paragraphs: [hello(null), ...recoveries(undone), resetIt],
    action: resetAction,
  }),
  'confirm-new-address': ({ account }) => {
    const moving = account
      ? `Kontot som tillhör ${quoted(account.name)} (${shownEmail(account.email)})`
      : 'Ett konto';
    return {
      subject: 'Bekräfta din nya e-postadress',
      paragraphs: [
        hello(null),
        `${moving} ska byta till den här e-postadressen. Om kontot inte är ditt kan du bortse från mejlet: ingen annan kan slutföra bytet.`,
        'Logga först in på kontot och följ sedan länken inom en timme.',
      ],
      action: 'Använd adressen',
      hint: 'Skicka den med en åtkomstkod för kontot.',
    };
  },
  'email-change-requested': ({ name, newEmail }) =>
    warning(
      'Någon har begärt att byta din e-postadress',
      name,
      `Någon som är inloggad på ditt konto har begärt att byta dess e-postadress till ${newEmail ? shownEmail(newEmail) : 'en annan adress'}. Den byts när länken i mejlet till den adressen följs. Byter du lösenord eller avslutar dina andra sessioner återkallas bytet.`,
    ),
  'email-changed': ({ name, newEmail }) => ({
    subject: 'Din e-postadress har ändrats',
    paragraphs: [
      hello(name),
      `E-postadressen för ditt konto är nu ${newEmail ? shownEmail(newEmail) : 'en annan'}.`,
      'Var det inte du? Byt lösenord och avsluta dina andra sessioner medan du är inloggad.',
    ],
  }),
  'account-locked': ({ name, lockedUntil }, moment) =>
    warning(
      'Inloggningen till ditt konto är låst en stund',
      name,
      `Någon har flera gånger försökt logga in med fel lösenord. Från okända enheter är inloggningen låst till ${moment(lockedUntil)}.`,
    ),
  'second-factor-locked': ({ name, lockedUntil }, moment) =>
    warning(
      'Fel koder har angetts för ditt konto',
      name,
      `Tio felaktiga koder i rad har angetts av någon som har ditt lösenord eller en av dina sessioner. Ingen kod godtas före ${moment(lockedUntil)}.`,
    ),
  'session-reuse-detected': ({ name, kind, device, ipAddress }) => {
    const what = {
      reused: 'En uppdateringskod användes en andra gång, från',
      'other-device': 'En kod för en av dina sessioner användes på en enhet som den inte hör till,',
    }[kind];
    const from = device === null ? 'en annan enhet' : quoted(device);
    const where = `${from}${ipAddress === null ? '' : ` på ${ipAddress}`}`;
    return warning(
      'En av dina sessioner har avslutats',
      name,
      `${what} ${where}. Någon kan ha kopierat den, så sessionen har avslutats. Logga in igen.`,
    );
  },
  'two-factor-changed': ({ name, change }) =>
    warning(
      'Din tvåstegsverifiering har ändrats',
      name,
      {
        enabled: 'Tvåstegsverifieringen är nu på.',
        disabled: 'Tvåstegsverifieringen är nu avstängd.',
        'backup-codes-renewed': 'Du har nya reservkoder; de tidigare fungerar inte längre.',
        'backup-code-used': 'En av dina reservkoder har använts.',
        reset:
          'Tvåstegsverifieringen har stängts av åt dig, eftersom den andra faktorn uppgavs vara förlorad. Alla dina sessioner har avslutats. Ställ in den på nytt när du har loggat in.',
      }[change],
    ),
  'way-in-changed': ({ name, change, by = 'en leverantör' }) =>
    warning(
      'Sätten att logga in på ditt konto har ändrats',
      name,
      {
        'connection-linked': `Enkel inloggning med ${by} kan nu logga in dig. Den når organisationen som den hör till, och inget annat i ditt konto. Vill du inte det kan du lämna organisationen.`,
        'identity-linked': `Ditt konto hos ${by} har kopplats: du kan logga in med det.`,
        'identity-unlinked': `Ditt konto hos ${by} har kopplats bort: du kan inte längre logga in med det.`,
        'password-removed':
          'Ditt lösenord har tagits bort. Du loggar in på de andra sätt som du har ställt in.',
        'passkey-added': 'En lösennyckel har lagts till på ditt konto. Med den loggar du in utan lösenord.',
        'passkey-removed': 'En lösennyckel har tagits bort från ditt konto.',
        'passkey-copied':
          'En inloggning med en av dina lösennycklar nekades, eftersom dess räknare gick bakåt: någon kan ha kopierat nyckeln. Ta bort den och lägg till en ny.',
      }[change],
    ),
  'keys-expire': ({ name, organizationName, keys }, moment) => ({
    subject: 'Nycklar i din organisation går snart ut',
    paragraphs: [
      hello(name),
      `Program som använder de här nycklarna i ${quoted(organizationName)} nekas från och med då:`,
      ...keys.map(
        ({ name: key, ending, expiresAt }) =>
          `${key === null ? 'Nyckel' : quoted(key)} (…${ending}): ${moment(expiresAt)}`,
      ),
      'Skapa en ny nyckel för varje program och ta bort den gamla när programmet använder den nya.',
    ],
  }),
  'certificate-ends': ({ name, organizationName, endsAt }, moment) => ({
    subject: 'Er identitetsleverantörs certifikat går snart ut',
    paragraphs: [
      hello(name),
      `Det sista certifikatet som er identitetsleverantör loggar in folk i ${quoted(organizationName)} med går ut: ${moment(endsAt)}. Därefter kan ingen logga in genom den.`,
      'Låt identitetsleverantören skapa ett nytt certifikat och ange dess metadata i organisationens inställningar. Båda certifikaten gäller tills det gamla går ut.',
    ],
  }),
  'domain-record-missing': ({ name, organizationName, domain, record }) => ({
    subject: `DNS-posten för ${shownDomain(domain)} saknas`,
    paragraphs: [
      hello(name),
      `TXT-posten som visar att ${shownDomain(domain)} är en domän för ${quoted(organizationName)} hittades inte. Vi letar efter den en gång om dagen. Saknas den tre dagar i rad stängs domänen av: då kan ingen gå med eller logga in genom den.`,
      `Lägg till posten igen, om ni inte har lämnat domänen. Dess namn: ${record.name}`,
      `Dess värde: ${record.value}`,
    ],
  }),
  'domain-suspended': ({ name, organizationName, domain, record }) => ({
    subject: `${shownDomain(domain)} har stängts av`,
    paragraphs: [
      hello(name),
      `TXT-posten som visar att ${shownDomain(domain)} är en domän för ${quoted(organizationName)} saknades tre dagar i rad. Ingen kan längre gå med eller logga in genom domänen, och en annan organisation kan visa att den är deras. Medlemmarna är kvar.`,
      `För att använda den igen lägger ni till posten och kontrollerar domänen i organisationens inställningar. Dess namn: ${record.name}`,
      `Dess värde: ${record.value}`,
    ],
  }),
  'sso-requirement-changed': ({ name, organizationName, change, by }) => ({
    subject: change === 'on' ? 'Enkel inloggning krävs nu' : 'Enkel inloggning krävs inte längre',
    paragraphs: [
      hello(name),
      {
        on: `${quoted(by ?? '')} kräver nu enkel inloggning i ${quoted(organizationName)}: medlemmar med en adress i dess verifierade domäner kommer in genom er identitetsleverantör och inte på något annat sätt. Gäster och program berörs inte.`,
        off: `${quoted(by ?? '')} kräver inte längre enkel inloggning i ${quoted(organizationName)}: medlemmarna kommer åter in med sina egna inloggningssätt.`,
        'domains-gone': `Den sista verifierade domänen för ${quoted(organizationName)} har stängts av. Ingen kan därför logga in genom er identitetsleverantör, och enkel inloggning krävs inte längre: medlemmarna kommer in med sina egna inloggningssätt.`,
      }[change],
      change === 'on'
        ? 'Ägare kan fortfarande komma in med två egna faktorer, om identitetsleverantören inte fungerar. Alla ägare får veta det varje gång.'
        : 'Om ni inte väntade er det här, titta på organisationens åtkomstinställningar och aktivitet.',
    ],
  }),
  'owner-bypassed-sso': ({ name, organizationName, owner, device, ipAddress }) => ({
    subject: 'En ägare kom in utan enkel inloggning',
    paragraphs: [
      hello(name),
      `${quoted(owner.name)} (${shownEmail(owner.email)}) kom in i ${quoted(organizationName)} med två egna faktorer i stället för enkel inloggning, som organisationen kräver, från ${device === null ? 'en okänd enhet' : quoted(device)}${ipAddress === null ? '' : ` på ${ipAddress}`}.`,
      'Ägare får göra det, om identitetsleverantören inte fungerar. Om det inte var hen, ta bort hen från organisationen och titta på dess aktivitet.',
    ],
  }),
  'organization-exported': ({ name, organizationName, by }) => ({
    subject: 'Din organisations uppgifter har exporterats',
    paragraphs: [
      hello(name),
      `${quoted(by)} har börjat exportera alla uppgifter i ${quoted(organizationName)}: leads, kunder, offerter, personer och händelseloggen, som filer.`,
      'Om du inte väntade dig detta, avsluta den ägarens sessioner och se efter bland organisationens händelser.',
    ],
  }),
  'organization-restored': ({ name, organizationName }) => ({
    subject: 'Din organisation har återställts',
    paragraphs: [
      hello(name),
      `${quoted(organizationName)} var borttagen och har återställts, med sina medlemmar och sina uppgifter.`,
      'Dess tjänstekonton, deras nycklar, dess domäner, dess enkla inloggning och öppna inbjudningar kommer inte tillbaka: skapa nya där ni behöver dem.',
    ],
  }),
};
