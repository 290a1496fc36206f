import type { ConnectionWords } from './connections.words.en.ts';

export const words: ConnectionWords = {
  title: 'Enkel inloggning',
  about:
    'Personer med en adress i en bekräftad domän loggar in hos er identitetsleverantör. De blir medlemmar vid sin första inloggning och ser bara den här organisationen medan de är inloggade så.',
  list: 'Anslutningar till identitetsleverantörer',
  start: 'Vilken identitetsleverantör använder ni?',
  kinds: {
    okta: 'Okta',
    entra: 'Entra ID',
    google: 'Google Workspace',
    oidc: 'OpenID Connect',
    saml: 'SAML',
  },
  badges: { on: 'På', off: 'Av' },
  register: {
    title: 'Registrera Tenantry där',
    create: {
      okta: 'Skapa en appintegration i Oktas adminkonsol: OIDC, webbapplikation. Ge den den här omdirigeringsadressen för inloggning.',
      entra:
        'Registrera en applikation i administrationscentret för Microsoft Entra, bara för konton i den här katalogen. Ge den den här omdirigeringsadressen, för plattformen Webb.',
      google:
        'Skapa en OAuth-klient av typen webbapplikation i Google Cloud-konsolen för er Workspace, för interna användare. Ge den den här omdirigeringsadressen.',
      oidc: 'Registrera en konfidentiell klient för auktoriseringskodflödet hos er identitetsleverantör. Ge den den här omdirigeringsadressen.',
      saml: 'Skapa en SAML 2.0-applikation med de här adresserna hos er identitetsleverantör. Entitets-id är också adressen till våra metadata.',
    },
    copy: 'Kopiera adressen',
  },
  copied: 'Kopierat',
  uncopied: 'Kopiera för hand',
  values: {
    title: 'Klistra in dess värden här',
    paste: {
      okta: 'Klistra in det Okta visar om applikationen. Utfärdaren är adressen till er Okta, till exempel https://foretag.okta.com.',
      entra:
        'Klistra in applikationens id (klient) och en klienthemlighet. Utfärdaren är https://login.microsoftonline.com/, sedan katalogens id (klientorganisation) och sedan /v2.0.',
      google: 'Klistra in klient-id och klienthemlighet. Utfärdaren är https://accounts.google.com.',
      oidc: 'Klistra in utfärdare, klient-id och klienthemlighet från er identitetsleverantör.',
      saml: 'Klistra in adressen till identitetsleverantörens metadata, som läses på nytt varje dag, eller metadata i sig.',
    },
    issuer: 'Utfärdare',
    clientId: 'Klient-id',
    clientSecret: 'Klienthemlighet',
    kept: 'En hemlighet finns sparad. Lämna tomt för att behålla den.',
    second: 'Den ber alla om ett andra steg',
    save: 'Spara',
    saved: 'Sparat.',
  },
  saml: {
    how: 'Hur anger du dess värden?',
    byMetadata: 'Med dess metadata',
    byParts: 'Ett i taget',
    issuer: 'Identitetsleverantörens entity id',
    signInAddress: 'Dess inloggningsadress (HTTP-Redirect)',
    certificateField: (n) => (n === 0 ? 'Signeringscertifikat' : `Signeringscertifikat ${n + 1}`),
    certificateHint: 'PEM, eller bara dess base64. Du kan släppa en fil här.',
    another: 'Lägg till ett certifikat',
    entityIdUnusable: 'Ett entity id är en URI utan blanksteg, som din identitetsleverantör visar den.',
    ssoUrlUnusable: 'Det här måste vara en offentlig adress på https://.',
    certificateUnusable:
      'Det här är inget certifikat som fortfarande gäller (RSA med minst 2048 bitar, P-256 eller P-384).',
    pasteParts:
      'Klistra in det som din identitetsleverantör visar. Det läses inte om, till skillnad från metadata: ange ett nytt certifikat här innan det sista går ut.',
    acsUrl: 'Adress för svar (ACS-URL)',
    copyAcsUrl: 'Kopiera ACS-URL',
    entityId: 'Entitets-id (mottagare)',
    copyEntityId: 'Kopiera entitets-id',
    signing:
      'Låt den signera intyget eller svaret med SHA-256, men inte båda, och inte kryptera det. Namn-id är en adress eller ett beständigt id; skicka adressen som attributet ”email” om den inte är namn-id.',
    metadata: 'Metadata',
    drop: 'En adress med https:// eller XML. Du kan släppa en fil här.',
    unusable:
      'Det här är inte metadata för en identitetsleverantör med en inloggningsadress på https:// och ett certifikat som inte har gått ut (RSA med minst 2048 bitar, P-256 eller P-384).',
    ssoUrl: 'Där man loggar in',
    certificate: (subject, end) => `Certifikat ${subject}, till ${end} (SHA-256)`,
  },
  test: {
    title: 'Testa den',
    about: 'Läser vad identitetsleverantören säger om sig själv och loggar inte in någon.',
    action: 'Testa',
    works: (issuer, keys) =>
      `${issuer} svarar som den ska och signerar med ${keys === 1 ? 'en nyckel' : `${keys} nycklar`}.`,
  },
  turn: {
    title: 'Slå på den',
    nobody:
      'Den är av. Ingen förlorar åtkomst när den slås på: alla behåller de sätt att logga in som de har, och ägare släpps in genom den först när de själva har kopplat den.',
    on: 'Slå på',
    done: 'Enkel inloggning är på.',
    isOn: (people) =>
      people === 0
        ? 'Den är på. Ingen har loggat in genom den än.'
        : `Den är på. ${people === 1 ? 'En medlem har' : `${people} medlemmar har`} loggat in genom den.`,
    off: 'Slå av',
    sure: (people) =>
      `Alla som är inloggade genom den loggas ut genast${people === 0 ? '' : `: ${people === 1 ? 'en medlem använder' : `${people} medlemmar använder`} den`}. Den som inte har något annat sätt att logga in förlorar åtkomst och kan skaffa ett med ”Glömt lösenordet?”.`,
    isOff: 'Enkel inloggning är av.',
  },
  link: {
    title: 'Koppla ditt eget konto',
    about:
      'Enkel inloggning släpper inte in någon ägare som inte har kopplat den. Slå på tvåstegsverifiering för ditt konto och logga sedan in där en gång.',
    action: 'Koppla mitt konto',
    isLinked: 'Ditt eget konto är kopplat: du kan logga in genom den också.',
    unlink: 'Koppla bort mitt konto',
    sure: 'Enkel inloggning släpper inte längre in dig.',
    unlinked: 'Ditt konto har kopplats bort.',
  },
  remove: {
    action: 'Ta bort anslutning',
    sure: 'Det som har angetts här tas bort, och alla som är inloggade genom den loggas ut. Medlemmarna är kvar.',
    done: 'Anslutningen har tagits bort.',
  },
  cancel: 'Avbryt',
};
