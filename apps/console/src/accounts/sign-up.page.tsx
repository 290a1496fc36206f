import { Link, useSearch } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { LanguageMenu } from '../design/language-menu.tsx';
import { useLanguage, useWords } from '../design/language.ts';
import { CardPage } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useInvitationInHand, type InvitationInHand } from '../organizations/invitations.queries.ts';
import { useReload, useSession } from '../sessions/sessions.queries.ts';
import { useSignUp } from './accounts.queries.ts';
import { accountWords } from './accounts.words.ts';

/** Creating an account. */
export function Page() {
  const { signUp: words } = useWords(accountWords);
  const asked: { readonly next?: string } = useSearch({ strict: false });
  const { start } = useSession();
  const invitation = useInvitationInHand();
  const search = invitation ? { next: '/accept-invitation' } : asked;
  const [sentTo, setSentTo] = useState<string>();
  if (start?.signIn.signUp === 'invited' && !invitation) {
    return (
      <CardPage title={words.closed.title}>
        <p>{words.closed.text}</p>
        <Link to="/sign-in">{words.signIn}</Link>
      </CardPage>
    );
  }
  if (sentTo !== undefined) {
    return (
      <CardPage title={words.check.title}>
        <p>{words.check.text(shownEmail(sentTo))}</p>
        <p>
          <Link to="/sign-in" search={search}>
            {words.signIn}
          </Link>
        </p>
      </CardPage>
    );
  }
  return (
    <CardPage title={words.title}>
      {invitation?.offer && <p>{words.invited(invitation.offer.organizationName)}</p>}
      <SignUpForm key={invitation?.offer?.email} invitation={invitation} onMailed={setSentTo} />
      <p>
        {words.haveAccount}{' '}
        <Link to="/sign-in" search={search}>
          {words.signIn}
        </Link>
      </p>
      <LanguageMenu />
    </CardPage>
  );
}

interface SignUpFormProps {
  readonly invitation: InvitationInHand | undefined;
  readonly onMailed: (email: string) => void;
}

function SignUpForm({ invitation, onMailed }: SignUpFormProps) {
  const words = useWords(accountWords);
  const language = useLanguage();
  const { start } = useSession();
  const reload = useReload();
  const signUp = useSignUp();
  const problem = useProblem(signUp.error);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Form
      sends={signUp}
      onSubmit={({ text }) => {
        const given = { name: text('name'), email: text('email'), password: text('password') };
        const organizationName = text('organizationName').trim();
        signUp.mutate(
          {
            ...given,
            ...(organizationName !== '' && { organizationName }),
            language,
            timeZone,
            ...(invitation && { invitationToken: invitation.token }),
          },
          {
            onSuccess: ({ session }) => (session ? reload().then(invitation?.forget) : onMailed(given.email)),
          },
        );
      }}
    >
      {signUp.error !== null && <Failure error={signUp.error} />}
      <TextField
        name="name"
        required
        autoComplete="name"
        autoFocus
        label={words.signUp.name}
        error={problem?.fields['name']}
      />
      <TextField
        name="email"
        required
        type="email"
        autoComplete="username"
        label={words.signUp.email}
        error={problem?.fields['email']}
        {...(invitation?.offer && {
          value: shownEmail(invitation.offer.email),
          readOnly: true,
          hint: words.signUp.invitedHint,
        })}
      />
      {!invitation && (
        <TextField
          name="organizationName"
          autoComplete="organization"
          label={words.signUp.organization}
          hint={words.signUp.organizationHint}
          error={problem?.fields['organizationName']}
        />
      )}
      <PasswordField
        name="password"
        required
        autoComplete="new-password"
        label={words.signUp.password}
        hint={words.signUp.passwordRule(start?.signUp.passwordMinLength ?? 8)}
        words={words}
        error={problem?.fields['password']}
      />
      <Button type="submit" kind="primary" isBusy={signUp.isPending}>
        {words.signUp.submit}
      </Button>
    </Form>
  );
}
