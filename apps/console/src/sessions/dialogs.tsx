import type { api, SignInMethod, StepUpDemand } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { PasswordField, TextField } from '../design/field.tsx';
import { PlainForm } from '../design/plain-form.tsx';
import { useWords } from '../design/language.ts';
import { loadPart } from '../design/load-part.ts';
import { Row } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import type { Prompt } from './session-store.ts';
import { useReload, useResume, useSession, useSessionStore, useSwitchBack } from './sessions.queries.ts';
import { dialogWords } from './dialogs.words.ts';
import { sessionWords } from './sessions.words.ts';
import { knowsPasskeys } from './ways/passkeys.ts';

const SignInAgain = lazy(async () => ({
  default: (await loadPart(() => import('./ways/sign-in-again.tsx'))).SignInAgain,
}));
const PasskeyProof = lazy(async () => ({
  default: (await loadPart(() => import('./ways/passkey-proof.tsx'))).PasskeyProof,
}));

/** What the session asks while a page is open; one at a time, the most urgent first. */
export function SessionDialogs() {
  const { start, ended, prompt, isElsewhere } = useSession();
  if (start?.status !== 'signed-in') return null;
  const { email } = start.user;
  if (ended !== undefined) {
    const isConfined = start.session.confinedTo !== undefined;
    return isConfined ? <EndedAtOrganizationDialog email={email} /> : <EndedDialog email={email} />;
  }
  if (prompt?.kind === 'step-up')
    return <StepUpDialog key={String(prompt.demand.previous)} prompt={prompt} email={email} />;
  if (prompt?.kind === 'rebind') return <RebindDialog prompt={prompt} />;
  if (isElsewhere) return <ElsewhereDialog former={start.organization?.name ?? ''} />;
  return null;
}

const signInMethods: readonly SignInMethod[] = ['password', 'mailed', 'passkey', 'identity'];

function EndedDialog({ email }: { readonly email: string }) {
  const words = useWords(dialogWords);
  const [reload, resume] = [useReload(), useResume()];
  const { mailed = false, passkeys = false } = useSession().start?.signIn ?? {};
  // Not by a provider: the page would go.
  const methods: readonly SignInMethod[] = [
    'password',
    ...(mailed ? (['mailed'] as const) : []),
    ...(passkeys ? (['passkey'] as const) : []),
  ];
  return (
    <Dialog title={words.ended.title}>
      <p>{words.ended.text(shownEmail(email))}</p>
      <Suspense fallback={null}>
        <SignInAgain {...{ email, methods }} onSignedIn={() => void resume()} />
      </Suspense>
      <Button kind="plain" onClick={() => void reload()}>
        {words.ended.other}
      </Button>
    </Dialog>
  );
}

/** The session was confined: what begins in a dialog would be another kind of session, and the way back leaves the page. */
function EndedAtOrganizationDialog({ email }: { readonly email: string }) {
  const { ended: words } = useWords(dialogWords);
  const reload = useReload();
  return (
    <Dialog title={words.title}>
      <p>{words.atOrganization(shownEmail(email))}</p>
      <Button kind="primary" onClick={() => void reload()}>
        {words.signIn}
      </Button>
    </Dialog>
  );
}

interface StepUpDialogProps {
  readonly prompt: Extract<Prompt, { kind: 'step-up' }>;
  readonly email: string;
}

function StepUpDialog({ prompt, email }: StepUpDialogProps) {
  const { stepUp } = useWords(dialogWords);
  const { start } = useSession();
  const { origin } = useSessionStore();
  const { cancel: cancelled } = useWords(sessionWords);
  const { demand, answer } = prompt;
  const cancel = () => answer(null);
  // Only auth-service knows the methods of a user, and other services ask for a sign-in too.
  const methods = demand.methods.length > 0 ? demand.methods : knownMethods(demand.reason, start);
  if (demand.reason === 'SIGN_IN_REQUIRED') {
    return (
      <Dialog title={stepUp.title} onClose={cancel}>
        <p>{stepUp.signIn}</p>
        <Suspense fallback={null}>
          <SignInAgain
            email={email}
            methods={signInMethods.filter((method) => methods.includes(method))}
            onSignedIn={() => answer({ signedIn: true })}
          />
        </Suspense>
        <Button onClick={cancel}>{cancelled}</Button>
      </Dialog>
    );
  }
  const isCode = demand.reason === 'SECOND_FACTOR_REQUIRED';
  return (
    <Dialog title={stepUp.title} onClose={cancel}>
      <p>{isCode ? stepUp.code : stepUp.password}</p>
      {methods.includes('passkey') && knowsPasskeys(origin) && (
        <Suspense fallback={null}>
          <PasskeyProof onProof={answer} />
        </Suspense>
      )}
      <ProofForm isCode={isCode} previous={demand.previous} onCancel={cancel} onProof={answer} />
    </Dialog>
  );
}

/** The second factors of the user, or the ways of signing in that there are here. */
function knownMethods(reason: StepUpDemand['reason'], start: api.Start | undefined): StepUpDemand['methods'] {
  if (!start || reason === 'PASSWORD_REQUIRED') return [];
  if (reason === 'SECOND_FACTOR_REQUIRED') return start.twoFactor?.methods ?? [];
  const { mailed, passkeys, password, providers } = start.signIn;
  const isOffered = { password, mailed, passkey: passkeys, identity: providers.length > 0 };
  return signInMethods.filter((method) => isOffered[method]);
}

function RebindDialog({ prompt }: { readonly prompt: Extract<Prompt, { kind: 'rebind' }> }) {
  const { rebind } = useWords(dialogWords);
  const [isCode, setCode] = useState(false);
  const { demand, answer } = prompt;
  return (
    <Dialog title={rebind.title} onClose={() => answer(null)}>
      <p>{rebind.text}</p>
      <ProofForm isCode={isCode} previous={demand.previous} onCancel={() => answer(null)} onProof={answer} />
      <Button kind="plain" onClick={() => setCode(!isCode)}>
        {isCode ? rebind.byPassword : rebind.byCode}
      </Button>
    </Dialog>
  );
}

interface ProofFormProps {
  readonly isCode: boolean;
  /** Why the last proof was not taken. */
  readonly previous: unknown;
  readonly onCancel: () => void;
  readonly onProof: (proof: { readonly code: string } | { readonly password: string }) => void;
}

function ProofForm({ isCode, previous, onCancel, onProof }: ProofFormProps) {
  const words = useWords(sessionWords);
  const { stepUp } = useWords(dialogWords);
  const field = { name: 'proof', autoFocus: true } as const;
  return (
    <PlainForm
      onSubmit={({ text, code }) => {
        onProof(isCode ? { code: code('proof') } : { password: text('proof') });
      }}
    >
      {previous !== undefined && <Failure error={previous} />}
      {isCode ? (
        <TextField {...field} label={words.code.label} autoComplete="one-time-code" spellCheck={false} />
      ) : (
        <PasswordField {...field} label={words.password} words={words} autoComplete="current-password" />
      )}
      <Row>
        <Button type="submit" kind="primary">
          {stepUp.confirm}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </Row>
    </PlainForm>
  );
}

function ElsewhereDialog({ former }: { readonly former: string }) {
  const { elsewhere } = useWords(dialogWords);
  const reload = useReload();
  const switchBack = useSwitchBack();
  return (
    <Dialog title={elsewhere.title}>
      <p>{elsewhere.text(former)}</p>
      {switchBack.error !== null && <Failure error={switchBack.error} />}
      <Row>
        <Button kind="primary" onClick={() => void reload()}>
          {elsewhere.follow}
        </Button>
        <Button isBusy={switchBack.isPending} onClick={() => switchBack.mutate()}>
          {elsewhere.back(former)}
        </Button>
      </Row>
    </Dialog>
  );
}
