import { PasswordField } from '../design/field.tsx';
import type { Values } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import type { Problem } from '../failures/problem.ts';
import { accountWords } from './accounts.words.ts';
import type { OwnPassword } from './two-factor.queries.ts';
import { twoFactorWords } from './two-factor.words.ts';
import { useWaysIn } from './ways-in.queries.ts';

/** Whether the user has a password; true until that is known. */
export const useHasPassword = (): boolean => useWaysIn().data?.password !== false;

/** Asks users who have a password for it. */
export function OwnPasswordField({ problem }: { readonly problem: Problem | undefined }) {
  const words = useWords(twoFactorWords);
  const account = useWords(accountWords);
  if (!useHasPassword()) return null;
  return (
    <PasswordField
      name="password"
      autoComplete="current-password"
      autoFocus
      label={words.password}
      words={account}
      error={problem?.fields['password']}
      isWrong={problem?.code === 'INVALID_CREDENTIALS'}
    />
  );
}

/** What was entered there. */
export const ownPassword = ({ text }: Values): OwnPassword => {
  const password = text('password');
  return password === '' ? {} : { password };
};
