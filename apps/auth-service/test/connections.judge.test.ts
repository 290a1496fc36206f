import { describe, expect, test } from 'vitest';
import { judge, type Statement } from '../src/connections/openid/judge.ts';
import { isIssuerOf } from '../src/connections/openid/kinds.ts';
import { isRefusal } from '../src/connections/people/person.ts';

const domains = ['acme.example', 'xn--rksmrgs-5wao1o.example'];
const tenant = '11111111-2222-3333-4444-555555555555';
const oid = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
const iss = `https://login.microsoftonline.com/${tenant}/v2.0`;
const ada = { sub: 'ada', email: 'ada@acme.example' };
const atEntra = { iss, sub: 'pairwise', oid, tid: tenant, preferred_username: 'ada@acme.example' };

/** The code of a refusal, or the person in short. */
function judged(kind: Statement['kind'], claims: object, document: object = claims) {
  const judgement = judge({ kind, claims: { ...claims }, document: { ...document }, domains });
  return isRefusal(judgement) ? judgement.code : `${judgement.subject} ${judgement.email}`;
}

describe('an identity provider speaks for an address [S-207]', () => {
  test.each<[string, Statement['kind'], object, string]>([
    ['in a verified domain', 'oidc', ada, 'ada ada@acme.example'],
    ['whose letters are large', 'okta', { ...ada, email: 'Ada@ACME.example' }, 'ada ada@acme.example'],
    ['that it calls verified', 'okta', { ...ada, email_verified: true }, 'ada ada@acme.example'],
    ['that it does not call anything', 'oidc', ada, 'ada ada@acme.example'],
    [
      'in a domain in letters of its own',
      'oidc',
      { ...ada, email: 'ada@räksmörgås.example' },
      'ada ada@xn--rksmrgs-5wao1o.example',
    ],
    ['of Google Workspace', 'google', { ...ada, hd: 'acme.example' }, 'ada ada@acme.example'],
    ['by which people sign in to Entra', 'entra', atEntra, `${oid} ada@acme.example`],
    [
      'that Entra has verified',
      'entra',
      { ...atEntra, email: 'ada@acme.example', xms_edov: true },
      `${oid} ada@acme.example`,
    ],
  ])('%s', (_, kind, claims, person) => {
    expect(judged(kind, claims)).toBe(person);
  });
});

describe('an identity provider does not speak for an address [S-207]', () => {
  test.each<[string, Statement['kind'], object, string]>([
    ['in another domain', 'oidc', { ...ada, email: 'ada@other.example' }, 'DOMAIN_NOT_VERIFIED'],
    [
      'in another domain, whatever it calls verified',
      'okta',
      { ...ada, email: 'ada@other.example', email_verified: true },
      'DOMAIN_NOT_VERIFIED',
    ],
    ['in a domain below', 'oidc', { ...ada, email: 'ada@mail.acme.example' }, 'DOMAIN_NOT_VERIFIED'],
    ['in a domain above', 'oidc', { ...ada, email: 'ada@example' }, 'EMAIL_MISSING'],
    ['in a domain that ends alike', 'oidc', { ...ada, email: 'ada@notacme.example' }, 'DOMAIN_NOT_VERIFIED'],
    ['with two at signs', 'oidc', { ...ada, email: 'ada@acme.example@other.example' }, 'EMAIL_MISSING'],
    ['with a comment', 'oidc', { ...ada, email: 'ada@other.example (ada@acme.example)' }, 'EMAIL_MISSING'],
    ['in a list', 'oidc', { ...ada, email: ['ada@acme.example'] }, 'EMAIL_MISSING'],
    ['that it leaves out', 'oidc', { sub: 'ada' }, 'EMAIL_MISSING'],
    [
      'that is a name to sign in with, but of Entra',
      'oidc',
      { sub: 'ada', preferred_username: 'ada@acme.example' },
      'EMAIL_MISSING',
    ],
    ['of 400 letters', 'oidc', { ...ada, email: `${'a'.repeat(400)}@acme.example` }, 'EMAIL_MISSING'],
    ['that it calls unverified', 'okta', { ...ada, email_verified: false }, 'EMAIL_NOT_VERIFIED'],
    ['that it calls unverified in a text', 'oidc', { ...ada, email_verified: 'false' }, 'EMAIL_NOT_VERIFIED'],
    ['that Entra calls unverified', 'entra', { ...atEntra, xms_edov: false }, 'EMAIL_NOT_VERIFIED'],
    ['that Entra calls unverified as a number', 'entra', { ...atEntra, xms_edov: '0' }, 'EMAIL_NOT_VERIFIED'],
    ['of Google without a Workspace', 'google', ada, 'DOMAIN_NOT_VERIFIED'],
    ['of another Workspace', 'google', { ...ada, hd: 'other.example' }, 'DOMAIN_NOT_VERIFIED'],
    [
      'of a guest whom another tenant signs in',
      'entra',
      { ...atEntra, idp: 'https://sts.windows.net/other/' },
      'PROVIDER_REFUSED',
    ],
    ['of a guest', 'entra', { ...atEntra, acct: 1 }, 'PROVIDER_REFUSED'],
    ['of a guest, in a text', 'entra', { ...atEntra, acct: '1' }, 'PROVIDER_REFUSED'],
  ])('%s', (_, kind, claims, code) => {
    expect(judged(kind, claims)).toBe(code);
  });

  test('by the document that has the address, which is not that of the subject', () => {
    expect(judged('oidc', { sub: 'ada' }, ada)).toBe('ada ada@acme.example');
    expect(judged('oidc', ada, { ...ada, email_verified: false })).toBe('EMAIL_NOT_VERIFIED');
    expect(judged('oidc', { sub: 'ada' }, { ...ada, sub: 'eve' })).toBe('ada ada@acme.example');
  });
});

describe('somebody at an identity provider [S-213]', () => {
  test.each<[string, Statement['kind'], object, string]>([
    ['is whom `sub` names as a whole', 'oidc', { ...ada, sub: 'Ada|1:2' }, 'Ada|1:2 ada@acme.example'],
    ['is whom `oid` names at Entra, not `sub`', 'entra', { ...atEntra, sub: oid }, `${oid} ada@acme.example`],
    ['is nobody without a subject', 'oidc', { email: ada.email }, 'PROVIDER_REFUSED'],
    ['is nobody with a subject that is no text', 'oidc', { ...ada, sub: 1 }, 'PROVIDER_REFUSED'],
    [
      'is nobody with a subject that cannot be seen',
      'oidc',
      { ...ada, sub: 'ada\u0000' },
      'PROVIDER_REFUSED',
    ],
    ['is nobody with a blank in the subject', 'oidc', { ...ada, sub: 'ada ' }, 'PROVIDER_REFUSED'],
    ['is nobody with a subject of 256 letters', 'oidc', { ...ada, sub: 'a'.repeat(256) }, 'PROVIDER_REFUSED'],
    ['is nobody at Entra without `oid`', 'entra', { ...atEntra, oid: undefined }, 'PROVIDER_REFUSED'],
    [
      'is nobody at Entra with an `oid` in another form',
      'entra',
      { ...atEntra, oid: oid.toUpperCase() },
      'PROVIDER_REFUSED',
    ],
  ])('%s', (_, kind, claims, expected) => {
    expect(judged(kind, claims)).toBe(expected);
  });
});

test.each<[string, object, boolean]>([
  ['amr with mfa', { amr: ['pwd', 'mfa'] }, true],
  ['amr with two names that may be one factor', { amr: ['pwd', 'kba'] }, false],
  ['amr as a text', { amr: 'mfa' }, false],
  ['acr of Okta for two factors', { acr: 'urn:okta:loa:2fa:any' }, true],
  ['acr of Okta for two factors if possible', { acr: 'urn:okta:loa:2fa:any:ifpossible' }, false],
  ['acr of REFEDS', { acr: 'https://refeds.org/profile/mfa' }, true],
  ['acr for resistance against phishing', { acr: 'phr' }, true],
  ['acr of this service', { acr: 'aal2' }, false],
  ['nothing', {}, false],
])('two factors are shown by a list of evidence: %s [S-214]', (_, claims, expected) => {
  const judgement = judge({ kind: 'oidc', claims: { ...ada, ...claims }, document: ada, domains });
  expect(judgement).toMatchObject({ hasSecondFactor: expected });
});

test.each<[Statement['kind'], string, boolean]>([
  ['entra', iss, true],
  ['entra', `https://login.microsoftonline.us/${tenant}/v2.0`, true],
  ['entra', 'https://login.microsoftonline.com/common/v2.0', false],
  ['entra', 'https://login.microsoftonline.com/organizations/v2.0', false],
  ['entra', 'https://login.microsoftonline.com/consumers/v2.0', false],
  ['entra', `https://login.microsoftonline.com.evil.example/${tenant}/v2.0`, false],
  ['entra', `https://sts.windows.net/${tenant}/`, false],
  ['google', 'https://accounts.google.com', true],
  ['google', 'https://accounts.google.com.evil.example', false],
  ['okta', 'https://sso.acme.example', true],
  ['oidc', 'https://accounts.google.com', false],
  ['oidc', 'https://accounts.google.com:443/', false],
  ['okta', iss, false],
  ['oidc', `https://STS.windows.net/${tenant}/`, false],
])('an issuer is one of its kind: %s %s [S-207]', (kind, issuer, expected) => {
  expect(isIssuerOf(kind, issuer)).toBe(expected);
});
