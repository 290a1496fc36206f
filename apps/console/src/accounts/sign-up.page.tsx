import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useLanguage, useWords } from '../design/language.ts';
import { CardPage } from '../design/page.tsx';
import { Failure, useTold } from '../failures/failure.tsx';
import { useReload, useSession } from '../sessions/sessions.queries.ts';
import { useSignUp } from './accounts.queries.ts';
import { accountWords } from './accounts.words.ts';

/** Creating an account. */
export function Page() {
  const { signUp: words } = useWords(accountWords);
  const search: { readonly next?: string } = useSearch({ strict: false });
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) {
    return (
      <CardPage title={words.check.title}>
        <p>{words.check.text(sentTo)}</p>
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
      <SignUpForm onMailed={setSentTo} />
      <p>
        {words.haveAccount}{' '}
        <Link to="/sign-in" search={search}>
          {words.signIn}
        </Link>
      </p>
    </CardPage>
  );
}

function SignUpForm({ onMailed }: { readonly onMailed: (email: string) => void }) {
  const words = useWords(accountWords);
  const language = useLanguage();
  const { start } = useSession();
  const reload = useReload();
  const signUp = useSignUp();
  const told = useTold(signUp.error);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Form
      refusal={signUp.error}
      onSubmit={({ text }) => {
        const given = { name: text('name'), email: text('email'), password: text('password') };
        signUp.mutate(
          { ...given, language, timeZone },
          {
            onSuccess: ({ session }) => {
              if (session) void reload();
              else onMailed(given.email);
            },
          },
        );
      }}
    >
      {signUp.error !== null && <Failure error={signUp.error} />}
      <TextField
        name="name"
        autoComplete="name"
        autoFocus
        label={words.signUp.name}
        error={told?.fields['name']}
      />
      <TextField
        name="email"
        type="email"
        autoComplete="username"
        label={words.signUp.email}
        error={told?.fields['email']}
      />
      <PasswordField
        name="password"
        autoComplete="new-password"
        label={words.signUp.password}
        hint={words.signUp.passwordRule(start?.signUp.passwordMinLength ?? 8)}
        words={words}
        error={told?.fields['password']}
      />
      <Button type="submit" kind="primary" isBusy={signUp.isPending}>
        {words.signUp.submit}
      </Button>
    </Form>
  );
}
