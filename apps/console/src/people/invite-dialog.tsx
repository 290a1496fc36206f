import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { SelectField } from '../design/select-field.tsx';
import { TextArea } from '../design/text-area.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { useToasts } from '../design/use-toasts.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { grantableRoles, type Role } from './abilities.ts';
import { addressesIn } from './addresses.ts';
import { useInvite } from './invitations.queries.ts';
import { InviteOutcome } from './invite-outcome.tsx';
import { peopleWords } from './people.words.ts';

/** Invites several people: refused addresses stay in the field, each with the reason. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(peopleWords);
  const roles = useRoleNames();
  const { permissions } = useSignedIn();
  const invite = useInvite();
  const [typed, setTyped] = useState('');
  const [role, chooseRole] = useState<Role>('member');
  const [sent, setSent] = useState(0);
  const [isEmpty, setEmpty] = useState(false);
  const toasts = useToasts();
  const emails = addressesIn(typed);
  const submit = () => {
    setEmpty(emails.length === 0);
    if (emails.length === 0 || invite.isPending) return;
    setSent(0);
    invite.mutate(
      { people: emails.map((email) => ({ email, role })), onProgress: setSent },
      {
        onSuccess: ({ sent, already, refused, left }) => {
          setTyped([...refused.map(({ email }) => email), ...left].join('\n'));
          if (already.length + refused.length + left.length > 0) return;
          toasts.show({ text: words.invite.sent(sent.map(shownEmail)) });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={words.invite.title} onClose={onClose}>
      {(close) => (
        <>
          {invite.isSuccess && <InviteOutcome outcome={invite.data} />}
          <Form sends={invite} refusal={isEmpty || invite.data} onSubmit={submit}>
            <TextArea
              name="addresses"
              required
              rows={4}
              autoFocus
              autoCapitalize="none"
              spellCheck={false}
              label={words.invite.addresses}
              hint={words.invite.addressesHint}
              error={isEmpty ? words.invite.none : undefined}
              isWrong={invite.isSuccess && invite.data.refused.length > 0}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <SelectField
              name="role"
              label={words.invite.role}
              hint={words.role.about[role]}
              value={role}
              onChange={({ target }) => chooseRole(target.value as Role)}
            >
              {grantableRoles(permissions).map((each) => (
                <option key={each} value={each}>
                  {roles[each]}
                </option>
              ))}
            </SelectField>
            <Row>
              <Button type="submit" kind="primary" isBusy={invite.isPending}>
                {words.invite.submit(emails.length)}
              </Button>
              <Button onClick={close}>{words.close}</Button>
              <span role="status">
                {invite.isPending && emails.length > 1 && words.invite.sending(sent, emails.length)}
              </span>
            </Row>
          </Form>
        </>
      )}
    </Dialog>
  );
}
