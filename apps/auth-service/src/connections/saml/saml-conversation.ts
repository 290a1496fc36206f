import { hash } from 'node:crypto';
import { invalidField } from '@tenantry/envelope';
import { addressKeyOf, type Ground } from '../../ground/index.ts';
import { ProviderFailure, unknownState, type SignIn } from '../../sign-in/index.ts';
import type { Conversation, Return, Visit } from '../conversation.ts';
import { flowProvider, type SamlConnection } from '../live-connection.ts';
import { isRefusal } from '../people/person.ts';
import { notEnded } from './certificates.ts';
import type { Documents } from './documents.ts';
import { endOf, judge } from './judge.ts';
import type { Assertion } from './response.ts';
import { requestIdOf, requestUrl } from './service-provider.ts';
import { insertUsedAssertion } from './used-assertions.repository.ts';

interface SamlDependencies extends Pick<Ground, 'database' | 'logger' | 'now'> {
  readonly documents: Documents;
  readonly signIn: Pick<SignIn, 'flows'>;
}

/** An authentication of the last this many seconds is asked for again. */
const recentSeconds = 60 * 60;
/** A flow takes ten minutes at most, so that no assertion can be shown later than that. */
const rememberedMsMax = 2 * 60 * 60 * 1_000;
/** Base64, in lines or not. No text is taken by two parts of it, so that it is read in linear time: anybody can send one. */
const base64Form = /^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/;

/** Speaks SAML 2.0: requests by a redirect, responses by a posted form. */
export class SamlConversation implements Conversation {
  readonly by = 'form';
  readonly #connection: SamlConnection;
  readonly #dependencies: SamlDependencies;

  constructor(connection: SamlConnection, dependencies: SamlDependencies) {
    this.#connection = connection;
    this.#dependencies = dependencies;
  }

  urlOf(visit: Visit): Promise<URL> {
    const { metadata, serviceProvider } = this.#connection;
    const request = {
      id: requestIdOf(visit),
      issuedAt: this.#dependencies.now(),
      ssoUrl: metadata.ssoUrl,
      asksAgain: visit.maxAgeSeconds < recentSeconds,
      relayState: visit.state,
    };
    return Promise.resolve(requestUrl(serviceProvider, request));
  }

  /** Not claimed yet: whatever names a flow may be garbage. */
  flowOf(parameters: Readonly<Record<string, string>>) {
    const { flows } = this.#dependencies.signIn;
    return flows.find(flowProvider(this.#connection), parameters['RelayState'] ?? '');
  }

  async personOf({ flow, parameters, domains, client }: Return) {
    const { now, signIn } = this.#dependencies;
    const { metadata, issuer, serviceProvider, organizationId } = this.#connection;
    const certificates = notEnded(metadata.certificates, now());
    const document = textOf(parameters['SAMLResponse'] ?? '');
    if (document === undefined) throw this.#garbage('no-base64');
    const asking = { organizationId, address: addressKeyOf(client) };
    const finding = await this.#dependencies.documents.readResponse({ document, certificates }, asking);
    if (finding.kind === 'unusable') throw this.#garbage(finding.problem);
    if (finding.kind === 'refusal') {
      throw new ProviderFailure(
        finding.refusal === 'denied' ? 'ACCESS_DENIED' : 'PROVIDER_REFUSED',
        'status',
      );
    }
    if (finding.kind === 'unsigned') throw new ProviderFailure('PROVIDER_REFUSED', 'signature');
    const { envelope, assertion } = finding;
    const { entityId: audience, acsUrl } = serviceProvider;
    const expected = { issuer, audience, acsUrl, requestId: requestIdOf(flow) };
    const judgement = judge({ envelope, assertion, expected, domains, at: now() });
    // What is for another service, request or time says nothing of this flow.
    if (isRefusal(judgement) && judgement.code === 'PROVIDER_REFUSED') return judgement;
    if (!(await signIn.flows.claim(flowProvider(this.#connection), flow.state))) throw unknownState();
    if (!(await this.#isFirst(assertion))) throw new ProviderFailure('PROVIDER_REFUSED', 'repeated');
    return judgement;
  }

  /** Whether an assertion is shown for the first time. SAML profiles, 4.1.4.5. */
  #isFirst(assertion: Assertion): Promise<boolean> {
    const { database, now } = this.#dependencies;
    const digest = hash('sha256', `${this.#connection.id} ${assertion.id}`, 'buffer');
    const end = Math.min(endOf(assertion).getTime(), now().getTime() + rememberedMsMax);
    return insertUsedAssertion(database.unscoped, digest, new Date(end));
  }

  #garbage(problem: string) {
    const { id: connectionId } = this.#connection;
    this.#dependencies.logger.warn({ connectionId, problem }, 'a SAML response is not taken');
    return invalidField({ field: 'SAMLResponse', rule: 'valid', message: messages[problem] ?? message });
  }
}

const message = 'is no SAML response in the form that is taken';
const messages: Readonly<Record<string, string>> = {
  'several-Signature':
    'is signed twice: have the identity provider sign the assertion or the response, not both',
  encrypted: 'is encrypted: have the identity provider sign the assertion, and not encrypt it',
};

function textOf(base64: string): string | undefined {
  if (!base64Form.test(base64)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
