/**
 * How long GET /api/auth/session takes while 100 hostile responses of SAML are posted at a time, each of a form that is read to the end
 * and as large as is let in:
 *
 *     npm run bench -- saml-pressure
 *
 * Goal: p99 under 100 ms on a machine that does nothing else.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from '@tenantry/test-kit';
import { post, signUp, startAuthService, type AuthProcess } from './auth-process.ts';
import { report, residentMb, sized } from './figures.ts';
import { probing, sessionProbe, show } from './session-probe.ts';

const parallel = sized(100, 4);
const goalMs = 100;
const unlimited = '1000000000';

const service = await startAuthService({
  RATE_LIMIT_PROVIDER_SIGN_INS_PER_MINUTE: unlimited,
  RATE_LIMIT_CONNECTION_CALLBACKS_PER_MINUTE: unlimited,
});
try {
  const ada = await signUp(service);
  const probe = await sessionProbe(service, ada);
  show('alone', await probing(probe));

  const { acsUrl, slug } = await connect(service, ada.id);
  const counts = new Map<string, number>();
  let pressing = true;
  const press = async (): Promise<void> => {
    const body = {
      slug,
      redirectTo: 'https://app.example.com/sign-in/return',
      codeChallenge: 'x'.repeat(43),
    };
    const { text } = await post(`${service.url}/api/auth/sign-in/sso`, body);
    const { url } = JSON.parse(text) as { url: string };
    // Garbage does not use a sign-in up.
    const RelayState = new URL(url).searchParams.get('RelayState') ?? '';
    const form = new URLSearchParams({ RelayState, SAMLResponse: hostile.toString('base64') });
    while (pressing) {
      const answer = await fetch(acsUrl, { method: 'POST', body: form, redirect: 'manual' });
      const isLater = answer.headers.get('location')?.includes('UPSTREAM_UNAVAILABLE') === true;
      const outcome = isLater ? 'refused for now' : String(answer.status);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      // A client that is told to come back later does not come back immediately.
      if (isLater) await sleep(1_000);
    }
  };
  const hostile = Buffer.from(hostileResponse());
  const presses = Array.from({ length: parallel }, press);
  await sleep(1_000);
  const times = await probing(probe);
  pressing = false;
  await Promise.all(presses);
  show(
    `during ${parallel} hostile responses of ${Math.round(hostile.length / 1_024)} KiB at a time`,
    times,
    goalMs,
  );
  report({ what: 'memory of auth-service afterwards', value: `${residentMb(service.pid ?? 0)} MB` });
  console.log(`responses: ${[...counts].map(([outcome, n]) => `${n} × ${outcome}`).join(', ')}`);
} finally {
  await service.stop();
}
process.exit();

/** Gives an organization a connection that is on. */
async function connect({ url, sql }: AuthProcess, userId: string) {
  const { rows } = (await sql(
    `SELECT o.id, o.slug FROM organizations o JOIN members m ON m.organization_id = o.id WHERE m.user_id = $1`,
    [userId],
  )) as { rows: readonly { readonly id: string; readonly slug: string }[] };
  const [organization] = rows;
  if (!organization) throw new Error('no organization');
  const id = randomUUID();
  const certificate = selfSigned().certificate.replaceAll(/-----[A-Z ]+-----|\n/g, '');
  const metadata = { ssoUrl: 'https://idp.example/sso', certificates: [certificate] };
  await sql(
    `INSERT INTO connections (organization_id, id, kind, name, issuer, metadata, metadata_read_at, created_by, created_at, updated_at)
     VALUES ($1, $2, 'saml', 'SAML', 'urn:idp', $3, now(), $4, now(), now())`,
    [organization.id, id, JSON.stringify(metadata), userId],
  );
  await sql(
    `INSERT INTO connection_keys (organization, id, mode, enabled_at) VALUES ($1, $2, 'saml', now())`,
    [organization.id, id],
  );
  return { slug: organization.slug, acsUrl: `${url}/api/auth/sso/${organization.id}/${id}/acs` };
}

/** A response in the form that is taken, within every count, with a signature of nobody: deep, and with namespaces and attributes. */
function hostileResponse(): string {
  const ds = 'http://www.w3.org/2000/09/xmldsig#';
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const names = Array.from({ length: 56 }, (_, n) => `n${n}`);
  const algorithm = (url: string) => `Algorithm="${url}"`;
  const prefixes = `<e:InclusiveNamespaces xmlns:e="${exclusive}" PrefixList="${names.join(' ').slice(0, 256)}"/>`;
  const signature = [
    `<ds:Signature xmlns:ds="${ds}"><ds:SignedInfo><ds:CanonicalizationMethod ${algorithm(exclusive)}/>`,
    `<ds:SignatureMethod ${algorithm('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')}/><ds:Reference URI="#_a">`,
    `<ds:Transforms><ds:Transform ${algorithm(`${ds}enveloped-signature`)}/><ds:Transform ${algorithm(exclusive)}>${prefixes}`,
    `</ds:Transform></ds:Transforms><ds:DigestMethod ${algorithm('http://www.w3.org/2001/04/xmlenc#sha256')}/>`,
    '<ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>',
  ].join('');
  const declared = names.map((name) => `xmlns:${name}="urn:${name}"`).join(' ');
  const depth = 700;
  const opened = Array.from(
    { length: depth },
    (_, n) => `<n${n % 56}:a n${(n + 7) % 56}:b="${'&amp;'.repeat(20)}">`,
  );
  const closed = Array.from({ length: depth }, (_, n) => `</n${(depth - 1 - n) % 56}:a>`);
  return [
    `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:s="urn:oasis:names:tc:SAML:2.0:assertion" ${declared}>`,
    '<p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>',
    `<s:Assertion ID="_a">${signature}${opened.join('')}${closed.join('')}</s:Assertion></p:Response>`,
  ].join('');
}
