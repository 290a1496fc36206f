import type { FailureWords } from './failures.words.en.ts';

const signIn = 'Din session har avslutats. Logga in igen.';
const later = 'Tjänsten kan inte nås just nu. Försök igen om en stund.';
export const again = 'Det gick inte. Försök igen.';
const noVerification =
  'Den här enheten kan inte kontrollera att det är du. Ställ in en pinkod, fingeravtryck eller ansiktsigenkänning på den, eller använd en annan enhet.';
const ours = 'Något gick fel hos oss. Försök igen, eller skicka oss begärans id.';

export const words: FailureWords = {
  codes: {
    ACCOUNT_LOCKED: 'Det blev för många felaktiga försök, så det här är låst en stund.',
    CSRF_FAILED: again,
    DEADLINE_EXCEEDED: 'Det tog för lång tid och avbröts. Försök igen.',
    EMAIL_NOT_VERIFIED: 'Bekräfta först din e-postadress: följ länken som vi har skickat dig.',
    HEADERS_TOO_LARGE: ours,
    INSUFFICIENT_USER_AUTHENTICATION: 'Bekräfta att det är du och försök sedan igen.',
    INTERNAL: ours,
    INVALID_CHALLENGE: 'Det tog för lång tid. Logga in igen.',
    INVALID_CODE: 'Koden är fel eller redan använd. Vänta på nästa.',
    INVALID_CREDENTIALS: 'Adressen eller lösenordet är fel.',
    INVALID_PASSKEY: 'Den här lösennyckeln fungerade inte. Försök igen, eller logga in på ett annat sätt.',
    INVALID_REFRESH_TOKEN: signIn,
    INVALID_TICKET: 'Den här inloggningen har gått ut, eller började på en annan enhet. Börja om.',
    EMAIL_MISSING: 'Leverantören gav ingen e-postadress. Logga in på ett annat sätt.',
    INVALID_TOKEN: 'Länken gäller inte längre. Be om en ny.',
    NOT_FOUND: 'Det här finns inte eller har tagits bort.',
    OFFLINE: 'Du är inte ansluten. Kontrollera din anslutning och försök igen.',
    OPENED_ELSEWHERE: 'Den här inloggningen började på en annan enhet. Öppna länken eller ange koden där.',
    ORIGIN_NOT_ALLOWED: 'Begäranden från den här adressen tas inte emot. Driften måste tillåta den.',
    RATE_LIMITED: 'För många försök.',
    REQUEST_TIMEOUT: 'Anslutningen är för långsam. Försök igen.',
    SESSION_ADDRESS_CHANGED: 'Din session hör till ett annat nätverk. Bekräfta att det är du.',
    SIGN_UP_CLOSED: 'Du behöver en inbjudan för att skapa ett konto. Be en kollega bjuda in dig.',
    UNAUTHENTICATED: signIn,
    UNREADABLE_ANSWER: later,
    UPSTREAM_UNAVAILABLE: later,
    USER_ALREADY_EXISTS: 'Adressen har redan ett konto. Logga in i stället.',
    VALIDATION_ERROR: 'Några fält stämmer inte. Se nedan.',
  },
  reasons: {
    INSUFFICIENT_USER_AUTHENTICATION: {
      SECOND_FACTOR_REQUIRED: 'Bekräfta med en kod eller lösennyckel att det är du.',
      PASSWORD_REQUIRED: 'Bekräfta med ditt lösenord att det är du.',
      SIGN_IN_REQUIRED: 'Bekräfta att det är du genom att logga in igen.',
    },
    INVALID_PASSKEY: { USER_NOT_VERIFIED: noVerification },
    UNAUTHENTICATED: {
      TOKEN_MISSING: 'Du är inte inloggad.',
      TOKEN_MALFORMED: signIn,
      TOKEN_TOO_LARGE: signIn,
      TOKEN_ALGORITHM_REFUSED: signIn,
      TOKEN_EXTENSION_REFUSED: signIn,
      TOKEN_TYPE_REFUSED: signIn,
      TOKEN_KEY_UNKNOWN: signIn,
      TOKEN_SIGNATURE_INVALID: signIn,
      TOKEN_CLAIM_INVALID: signIn,
      TOKEN_NOT_YET_VALID: signIn,
      TOKEN_EXPIRED: signIn,
      TOKEN_REVOKED: signIn,
      SESSION_ENDED: signIn,
      SESSION_ELSEWHERE: 'Din session användes på en annan enhet och har därför avslutats. Logga in igen.',
    },
    UPSTREAM_UNAVAILABLE: { KEYS_UNAVAILABLE: later, CLOCK_AHEAD: later, REVOCATIONS_UNAVAILABLE: later },
  },
  device: {
    ALREADY_REGISTERED:
      'Den här enheten har redan en lösennyckel till ditt konto. Använd den, eller en annan enhet.',
    NOT_ALLOWED:
      'Ingen lösennyckel användes: det avbröts, eller så finns det ingen på den här enheten. Försök igen, eller använd ett annat sätt.',
    TIMED_OUT: 'Ingen lösennyckel användes i tid. Försök igen.',
    NOT_VERIFIED: noVerification,
    NOT_SUPPORTED:
      'Den här enheten eller säkerhetsnyckeln kan inte användas för lösennycklar. Använd en annan.',
    OTHER_SITE: 'Lösennycklar kan inte användas på den här adressen. Öppna sidan på dess vanliga adress.',
    FAILED: 'Enheten klarade inte det. Försök igen, eller använd en annan.',
  },
  rules: {
    required: () => 'Fyll i det här.',
    type: () => 'Det här har fel form.',
    format: () => 'Det här ser inte rätt ut. Kontrollera det.',
    localPart: () => 'Före @ får en adress bara ha bokstäverna a till z, siffror och tecken, utan accenter.',
    pattern: () => 'Det här har otillåtna tecken, eller för få.',
    text: () => 'Det här har tecken som inte kan visas.',
    storable: () => 'Det här har tecken som inte kan sparas.',
    minLength: ({ limit = 1 }) => (limit === 1 ? 'Fyll i det här.' : `Använd minst ${limit} tecken.`),
    maxLength: ({ limit = 0 }) => `Använd högst ${limit} tecken.`,
    more: ({ count = 0 }) => `${count} till.`,
    wellFormed: () => 'Det här går inte att läsa.',
    credential: () => 'Det här är fel.',
    recent: () => 'Bekräfta att det är du.',
    common: () => 'Lösenordet är för vanligt. Välj ett annat.',
    personal: () => 'Det här är för likt ditt namn eller din adress. Välj något annat.',
  },
  notAccepted: 'Det godtogs inte. Kontrollera det du har angett.',
  wait: (seconds) => {
    if (seconds < 60) return `Försök igen om ${seconds} ${seconds === 1 ? 'sekund' : 'sekunder'}.`;
    const minutes = Math.ceil(seconds / 60);
    return `Försök igen om ${minutes} ${minutes === 1 ? 'minut' : 'minuter'}.`;
  },
  defect: 'Något gick fel på sidan. Läs in den igen.',
  notFound: {
    title: 'Sidan finns inte',
    text: 'Det finns ingen sida på den här adressen.',
    home: 'Till startsidan',
  },
  failed: 'Det här kunde inte läsas in',
  tryAgain: 'Försök igen',
  requestId: 'Begärans id',
  copy: 'Kopiera',
  copied: 'Kopierat',
  uncopied: 'Kopiera för hand',
  loading: 'Läser in',
  offline: 'Du är inte ansluten. Du kan fortfarande läsa det som är öppet.',
  unreached: 'Du är inte ansluten. Det här visas så snart du är det.',
};
