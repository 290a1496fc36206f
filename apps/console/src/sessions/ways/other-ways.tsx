import { useLocation, useSearch } from '@tanstack/react-router';
import type { SignInMethod } from '@tenantry/client';
import { Button } from '../../design/button.tsx';
import { useWords } from '../../design/language.ts';
import { Failure } from '../../failures/failure.tsx';
import { safeNext } from '../next.ts';
import { useSession } from '../sessions.queries.ts';
import { useKnowsPasskeys, useSignInWithPasskey } from './passkeys.queries.ts';
import { useVisitProvider } from './providers.queries.ts';
import { waysWords } from './ways.words.ts';

interface OtherWaysProps {
  /** Those that may be offered; all that are configured where none are named. */
  readonly methods?: readonly SignInMethod[];
  readonly onSignedIn: () => unknown;
}

/** Signing in by what neither is typed nor mailed: a passkey, or an account at a provider. */
export function OtherWays({ methods = ['passkey', 'identity'], onSignedIn }: OtherWaysProps) {
  const { signIn } = useSession().start ?? {};
  const hasPasskeys = useKnowsPasskeys() && signIn?.passkeys === true && methods.includes('passkey');
  return (
    <>
      {hasPasskeys && <PasskeyWay onSignedIn={onSignedIn} />}
      {methods.includes('identity') && <ProviderWays providers={signIn?.providers ?? []} />}
    </>
  );
}

function PasskeyWay({ onSignedIn }: Pick<OtherWaysProps, 'onSignedIn'>) {
  const words = useWords(waysWords);
  const passkey = useSignInWithPasskey(onSignedIn);
  return (
    <>
      {passkey.error !== null && <Failure error={passkey.error} />}
      <Button isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
        {words.byPasskey}
      </Button>
    </>
  );
}

interface ProviderWaysProps {
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}

function ProviderWays({ providers }: ProviderWaysProps) {
  const words = useWords(waysWords);
  const { href, pathname } = useLocation();
  const search: { readonly next?: unknown } = useSearch({ strict: false });
  const next = pathname === '/sign-in' ? safeNext(search.next) : href;
  const visit = useVisitProvider('sign-in', next);
  return (
    <>
      {visit.error !== null && <Failure error={visit.error} />}
      {providers.map(({ id, name }) => (
        <Button key={id} isBusy={visit.isPending && visit.variables === id} onClick={() => visit.mutate(id)}>
          {words.continueWith(name)}
        </Button>
      ))}
    </>
  );
}
