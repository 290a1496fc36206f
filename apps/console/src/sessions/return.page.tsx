import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { CardPage } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { useReturned } from './mailed-token.queries.ts';
import { safeNext } from './next.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useReload, type SignInAnswer } from './sessions.queries.ts';
import { MailedCodeForm } from './ways/mailed-code-form.tsx';
import type { MailedRequest } from './ways/mailed-sign-in.queries.ts';
import {
  useLinkAtOrganization,
  useLinkIdentity,
  useRedeemSsoTicket,
  useRedeemTicket,
} from './ways/providers.queries.ts';
import { waysWords } from './ways/ways.words.ts';

/** What the address says of the way that is taken. */
interface ReturnSearch {
  readonly for?: string;
  readonly next?: unknown;
  readonly organization?: string;
  readonly connection?: string;
}

/** Where a provider leads back to: what it brought signs in, or is linked, at once and once. */
export function Page() {
  const { back: words } = useWords(waysWords);
  const search: ReturnSearch = useSearch({ strict: false });
  const isLink = search.for === 'link' || search.for === 'organization-link';
  const { ticket, error = '' } = useReturned();
  const [navigate, reload] = [useNavigate(), useReload()];
  const goOn = () => void reload().then(() => navigate({ href: safeNext(search.next), replace: true }));
  const [redeem, redeemSso] = [useRedeemTicket(), useRedeemSsoTicket()];
  const [link, linkAtOrganization] = [useLinkIdentity(), useLinkAtOrganization(search)];
  const [challenge, setChallenge] = useState<api.Challenge>();
  const [request, setRequest] = useState<MailedRequest>();
  const take = (answer: SignInAnswer | api.RedeemTicketAnswer) => {
    if ('request' in answer) setRequest(answer.request);
    else if ('challenge' in answer) setChallenge(answer.challenge);
    else goOn();
  };

  const hasBegun = useRef(false);
  useEffect(() => {
    if (ticket === undefined || hasBegun.current) return;
    hasBegun.current = true;
    if (search.for === 'organization-link') linkAtOrganization.mutate(ticket, { onSuccess: goOn });
    else if (isLink) link.mutate(ticket, { onSuccess: goOn });
    else if (search.for === 'organization') redeemSso.mutate(ticket, { onSuccess: take });
    else redeem.mutate(ticket, { onSuccess: take });
  });

  const startOver = () => void navigate({ to: '/sign-in' });
  if (challenge) {
    return (
      <CardPage title={words.title}>
        <SecondFactorForm challenge={challenge} onStartOver={startOver} onSignedIn={goOn} />
      </CardPage>
    );
  }
  if (request) {
    return (
      <CardPage title={words.title}>
        <MailedCodeForm {...{ request }} onAnswer={take} onResent={setRequest} onStartOver={startOver} />
      </CardPage>
    );
  }
  const failure = redeem.error ?? redeemSso.error ?? link.error ?? linkAtOrganization.error;
  if (failure !== null || ticket === undefined) {
    return (
      <CardPage title={words.failed}>
        {failure === null ? (
          <Notice kind="problem">
            {words.errors[Object.hasOwn(words.errors, error) ? error : 'PROVIDER_REFUSED']}
          </Notice>
        ) : (
          <Failure error={failure} />
        )}
        <Link to={isLink ? '/account/security' : '/sign-in'}>{isLink ? words.account : words.signIn}</Link>
      </CardPage>
    );
  }
  return (
    <CardPage title={isLink ? words.linking : words.title}>
      <p>{words.wait}</p>
    </CardPage>
  );
}
