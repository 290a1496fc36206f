import type { api } from '@tenantry/client';

type Kind = api.Connection['kind'];

const kinds: Readonly<Record<Kind, string>> = {
  okta: 'Okta',
  entra: 'Entra ID',
  google: 'Google Workspace',
  oidc: 'OpenID Connect',
  saml: 'SAML',
};

const create: Readonly<Record<Kind, string>> = {
  okta: 'In the Okta admin console, create an app integration: OIDC, web application. Give it this sign-in redirect URI.',
  entra:
    'In the Microsoft Entra admin center, register an application for accounts in this directory only. Give it this redirect URI, for the platform Web.',
  google:
    'In the Google Cloud console of your Workspace, create an OAuth client of the type web application, for internal users. Give it this redirect URI.',
  oidc: 'At your identity provider, register a confidential client for the authorization code flow. Give it this redirect URI.',
  saml: 'At your identity provider, create a SAML 2.0 application with these addresses. The entity id is also the address of our metadata.',
};

const paste: Readonly<Record<Kind, string>> = {
  okta: 'Paste what Okta shows of the application. The issuer is the address of your Okta, such as https://company.okta.com.',
  entra:
    'Paste the application (client) id and a client secret. The issuer is https://login.microsoftonline.com/, then the directory (tenant) id, then /v2.0.',
  google: 'Paste the client id and the client secret. The issuer is https://accounts.google.com.',
  oidc: 'Paste the issuer, the client id and the client secret of your identity provider.',
  saml: 'Paste the address of your identity provider’s metadata, which is read again every day, or the metadata itself.',
};

/** What is said about single sign-on: other languages say the same. */
export const words = {
  title: 'Single sign-on',
  about:
    'People with an address in a proven domain sign in at your identity provider. They become members at their first sign-in, and while signed in that way they see this organization only.',
  list: 'Connections to identity providers',
  start: 'Which identity provider do you use?',
  kinds,
  badges: { on: 'On', off: 'Off' },
  register: { title: 'Register Tenantry there', create, copy: 'Copy address' },
  copied: 'Copied',
  uncopied: 'Copy it by hand',
  values: {
    title: 'Paste its values here',
    paste,
    issuer: 'Issuer',
    clientId: 'Client id',
    clientSecret: 'Client secret',
    kept: 'A secret is stored. Leave this empty to keep it.',
    second: 'It asks everybody for a second factor',
    save: 'Save',
    saved: 'Saved.',
  },
  saml: {
    how: 'How do you give its values?',
    byMetadata: 'By its metadata',
    byParts: 'One by one',
    issuer: 'Entity id of the identity provider',
    signInAddress: 'Its sign-in address (HTTP-Redirect)',
    certificateField: (n: number) => (n === 0 ? 'Signing certificate' : `Signing certificate ${n + 1}`),
    certificateHint: 'PEM, or its base64 alone. You can drop a file here.',
    another: 'Add another certificate',
    entityIdUnusable: 'An entity id is a URI without spaces, as your identity provider shows it.',
    ssoUrlUnusable: 'This has to be a public address at https://.',
    certificateUnusable:
      'This is not a certificate that has not ended (RSA of 2048 bits or more, P-256 or P-384).',
    pasteParts:
      'Paste what your identity provider shows. Unlike metadata, it is not read again: give a new certificate here before the last one ends.',
    acsUrl: 'Address for responses (ACS URL)',
    copyAcsUrl: 'Copy ACS URL',
    entityId: 'Entity id (audience)',
    copyEntityId: 'Copy entity id',
    signing:
      'Have it sign the assertion or the response with SHA-256, but not both, and not encrypt it. The name id is an address or a persistent identifier; send the address as the attribute “email” where it is not the name id.',
    metadata: 'Metadata',
    drop: 'An https:// address, or XML. You can drop a file here.',
    unusable:
      'This is not the metadata of an identity provider with a sign-in address at https:// and a certificate that has not ended (RSA of 2048 bits or more, P-256 or P-384).',
    ssoUrl: 'Where people sign in',
    certificate: (subject: string, end: string) => `Certificate ${subject}, until ${end} (SHA-256)`,
  },
  test: {
    title: 'Test it',
    about: 'Reads what the identity provider says of itself, and signs nobody in.',
    action: 'Test',
    works: (issuer: string, keys: number) =>
      `${issuer} answers as it should, and signs with ${keys === 1 ? 'one key' : `${keys} keys`}.`,
  },
  turn: {
    title: 'Turn it on',
    nobody:
      'It is off. Nobody loses access when it is turned on: everybody keeps the ways to sign in that they have, and owners are let in by it only once they have linked it themselves.',
    on: 'Turn on',
    done: 'Single sign-on is on.',
    isOn: (people: number) =>
      people === 0
        ? 'It is on. Nobody has signed in by it yet.'
        : `It is on. ${people === 1 ? 'One member has' : `${people} members have`} signed in by it.`,
    off: 'Turn off',
    sure: (people: number) =>
      `Everybody who is signed in by it is signed out at once${people === 0 ? '' : `: ${people === 1 ? 'one member uses' : `${people} members use`} it`}. Whoever has no other way to sign in loses access; they can set one with “Forgot your password?”.`,
    isOff: 'Single sign-on is off.',
  },
  link: {
    title: 'Link your own account',
    about:
      'Single sign-on lets no owner in who has not linked it. Turn on two-factor authentication for your account, then sign in there once.',
    action: 'Link my account',
    isLinked: 'Your own account is linked: you can sign in by it too.',
    unlink: 'Unlink my account',
    sure: 'Single sign-on no longer lets you in.',
    unlinked: 'Your account was unlinked.',
  },
  remove: {
    action: 'Delete connection',
    sure: 'What was entered here is deleted, and everybody who is signed in by it is signed out. Members stay.',
    done: 'The connection was deleted.',
  },
  cancel: 'Cancel',
};

/** The words for single sign-on in one language. */
export type ConnectionWords = typeof words;
