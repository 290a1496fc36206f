import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { List, ListItem } from '../design/list.tsx';
import { Row, Section } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { useMay, useSignedIn } from '../sessions/sessions.queries.ts';
import { grantableRoles } from './abilities.ts';
import { useInvite, useOpenInvitations, useWithdraw } from './invitations.queries.ts';
import { InviteOutcome } from './invite-outcome.tsx';
import { peopleWords } from './people.words.ts';

/** Open invitations; renders nothing without any. */
export function InvitationList() {
  const { invitations: words } = useWords(peopleWords);
  const invitations = useOpenInvitations();
  if (invitations.data?.length === 0) return null;
  return (
    <Section title={words.title} about={words.about}>
      {invitations.isPending && <Skeleton label={words.title} lines={3} />}
      {invitations.isError && (
        <Failure error={invitations.error} onRetry={() => void invitations.refetch()} />
      )}
      {invitations.isSuccess && <SendAll invitations={invitations.data} />}
      {invitations.isSuccess && (
        <List label={words.title}>
          {invitations.data.map((invitation) => (
            <Entry key={invitation.email} invitation={invitation} />
          ))}
        </List>
      )}
    </Section>
  );
}

/** Sends all that an import has prepared, one after the other; renders nothing for one alone, which has a button of its own. */
function SendAll({ invitations }: { readonly invitations: readonly api.Invitation[] }) {
  const { invite: inviteWords, invitations: words } = useWords(peopleWords);
  const may = useMay();
  const { permissions } = useSignedIn();
  const send = useInvite();
  const [sent, setSent] = useState(0);
  const roles = grantableRoles(permissions);
  const people = invitations.filter(({ isSent, role }) => !isSent && roles.includes(role));
  const outcome = send.data;
  const submit = () => {
    setSent(0);
    send.mutate({ people, isAgain: true, onProgress: setSent });
  };
  return (
    <>
      {outcome && <InviteOutcome outcome={outcome} />}
      {(people.length > 1 || send.isPending) && may('inviteMember') && (
        <Row>
          <Button kind="primary" isBusy={send.isPending} onClick={submit}>
            {words.sendAll(people.length)}
          </Button>
          <span role="status">{send.isPending && inviteWords.sending(sent, people.length)}</span>
        </Row>
      )}
    </>
  );
}

function Entry({ invitation }: { readonly invitation: api.Invitation }) {
  const { invitations: words } = useWords(peopleWords);
  const roles = useRoleNames();
  const formats = useFormats();
  const again = useInvite();
  const withdraw = useWithdraw();
  const { email, role, invitedBy, isSent, expiresAt } = invitation;
  const toasts = useToasts();
  const refused = again.data?.refused[0];
  const sendAgain = () =>
    again.mutate(
      { people: [{ email, role }], isAgain: true },
      {
        onSuccess: ({ sent }) => sent.length > 0 && toasts.show({ text: words.sentAgain(shownEmail(email)) }),
      },
    );
  return (
    <ListItem
      title={shownEmail(email)}
      details={[
        words.as(roles[role]),
        isSent ? '' : words.notSent,
        !isSent || invitedBy === null ? '' : words.by(invitedBy.name),
        words.until(formats.day(expiresAt)),
      ]}
      action={
        <Actions
          invitation={invitation}
          isSending={again.isPending}
          isWithdrawing={withdraw.isPending}
          onAgain={sendAgain}
          onWithdraw={() => withdraw.mutate(invitation.id)}
        />
      }
    >
      {refused !== undefined && <Failure error={refused.error} />}
      {withdraw.error !== null && <Failure error={withdraw.error} />}
    </ListItem>
  );
}

interface ActionsProps {
  readonly invitation: api.Invitation;
  readonly isSending: boolean;
  readonly isWithdrawing: boolean;
  readonly onAgain: () => void;
  readonly onWithdraw: () => void;
}

function Actions({
  invitation: { email, role, isSent },
  isSending,
  isWithdrawing,
  onAgain,
  onWithdraw,
}: ActionsProps) {
  const { invitations: words } = useWords(peopleWords);
  const may = useMay();
  const { permissions } = useSignedIn();
  if (!may('inviteMember')) return null;
  return (
    <Row>
      {grantableRoles(permissions).includes(role) && (
        <Button
          aria-label={(isSent ? words.againOf : words.sendOf)(shownEmail(email))}
          isBusy={isSending}
          onClick={onAgain}
        >
          {isSent ? words.again : words.send}
        </Button>
      )}
      <Button
        kind="danger"
        aria-label={words.withdrawOf(shownEmail(email))}
        isBusy={isWithdrawing}
        onClick={onWithdraw}
      >
        {words.withdraw}
      </Button>
    </Row>
  );
}
