import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Facts } from '../design/facts.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { CardPage, Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useMailedToken } from '../sessions/mailed-token.queries.ts';
import { useSession } from '../sessions/sessions.queries.ts';
import { useSignOut } from '../sessions/sign-out.queries.ts';
import { useAcceptInvitation, useInvitation, useRejectInvitation } from './invitations.queries.ts';
import { invitationWords } from './invitations.words.ts';
import { useRoleNames } from './organizations.queries.ts';

/** An invitation, for who holds its token: whoever is signed in with its address accepts it here. */
export function Page() {
  const words = useWords(invitationWords);
  const { token, forget } = useMailedToken('/accept-invitation');
  // Once it was accepted the token is gone, and the page stays until the next one is there.
  const [opened] = useState(token);
  if (opened === undefined) {
    return (
      <CardPage title={words.title}>
        <p>{words.noToken}</p>
        <Link to="/">{words.home}</Link>
      </CardPage>
    );
  }
  return <Invitation token={opened} onUsed={forget} />;
}

interface InvitationProps {
  readonly token: string;
  readonly onUsed: () => void;
}

function Invitation({ token, onUsed }: InvitationProps) {
  const words = useWords(invitationWords);
  const invitation = useInvitation(token);
  const reject = useRejectInvitation();
  if (reject.isSuccess) {
    return (
      <CardPage title={words.declined.title}>
        <p>{words.declined.text}</p>
        <Link to="/">{words.home}</Link>
      </CardPage>
    );
  }
  if (invitation.isPending) {
    return (
      <CardPage title={words.title}>
        <Skeleton label={words.title} lines={5} />
      </CardPage>
    );
  }
  if (invitation.isError) {
    return (
      <CardPage title={words.title}>
        <Failure error={invitation.error} onRetry={() => void invitation.refetch()} />
        <Link to="/">{words.home}</Link>
      </CardPage>
    );
  }
  return (
    <CardPage title={words.to(invitation.data.organizationName)}>
      <Offer invitation={invitation.data} />
      <Answering token={token} invitation={invitation.data} onUsed={onUsed} />
      {reject.error !== null && <Failure error={reject.error} />}
      <Declining isBusy={reject.isPending} onDecline={() => reject.mutate(token, { onSuccess: onUsed })} />
    </CardPage>
  );
}

/** Who invites whom, to what, as what. */
function Offer({ invitation }: { readonly invitation: api.ShownInvitation }) {
  const words = useWords(invitationWords);
  const roles = useRoleNames();
  const formats = useFormats();
  const { inviterName, organizationName, role, email, expiresAt } = invitation;
  return (
    <Stack>
      <p>
        {inviterName === null ? words.byNobody(organizationName) : words.by(inviterName, organizationName)}
      </p>
      <Facts
        facts={[
          [words.as, roles[role]],
          [words.for, shownEmail(email)],
          [words.until, formats.moment(expiresAt)],
        ]}
      />
    </Stack>
  );
}

interface AnsweringProps extends InvitationProps {
  readonly invitation: api.ShownInvitation;
}

/** What the reader can do, which depends on who is signed in. */
function Answering({ token, invitation, onUsed }: AnsweringProps) {
  const words = useWords(invitationWords);
  const { start } = useSession();
  const accept = useAcceptInvitation();
  const signOut = useSignOut();
  const mine = start?.user?.email;
  if (mine === undefined) {
    return (
      <Stack>
        <p>{words.signedOut}</p>
        <Row>
          <Link to="/sign-up">{words.signUp}</Link>
          <Link to="/sign-in" search={{ next: '/accept-invitation' }}>
            {words.signIn}
          </Link>
        </Row>
      </Stack>
    );
  }
  if (mine.toLowerCase() !== invitation.email.toLowerCase()) {
    return (
      <Stack>
        <p>{words.other.text(shownEmail(mine), shownEmail(invitation.email))}</p>
        {signOut.error !== null && <Failure error={signOut.error} />}
        <Button kind="primary" isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
          {words.other.change}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      {accept.error !== null && <Failure error={accept.error} />}
      <Button
        kind="primary"
        isBusy={accept.isPending}
        onClick={() => accept.mutate({ token, onAccepted: onUsed })}
      >
        {words.accept}
      </Button>
    </Stack>
  );
}

interface DecliningProps {
  readonly isBusy: boolean;
  readonly onDecline: () => void;
}

/** Declining ends it, so it asks once more. */
function Declining({ isBusy, onDecline }: DecliningProps) {
  const words = useWords(invitationWords);
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <Button kind="plain" onClick={() => setAsked(true)}>
        {words.decline}
      </Button>
    );
  }
  return (
    <Row>
      <span>{words.declineSure}</span>
      <Button kind="danger" isBusy={isBusy} onClick={onDecline}>
        {words.decline}
      </Button>
      <Button onClick={() => setAsked(false)}>{words.cancel}</Button>
    </Row>
  );
}
