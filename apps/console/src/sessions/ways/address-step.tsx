import { useSearch } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { useEffect, useRef } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { PlainForm } from '../../design/plain-form.tsx';
import { useWords } from '../../design/language.ts';
import { Notice } from '../../design/notice.tsx';
import { Failure, useProblem } from '../../failures/failure.tsx';
import { safeNext } from '../next.ts';
import { sessionWords } from '../sessions.words.ts';
import { useFindOrganization, useVisitOrganization, type GivenAddress } from './providers.queries.ts';
import { waysWords } from './ways.words.ts';

/** What asks for an address, with what was given before; or what stands below one that was given. */
type AddressStepProps =
  | { readonly given: GivenAddress | undefined; readonly onGiven: (given: GivenAddress) => void }
  | AddressWayProps;

/**
 * The first step of signing in where organizations sign people in: the address, whose domain decides what comes next. At the
 * organization that a link names, the sign-in begins at once.
 */
export function AddressStep(props: AddressStepProps) {
  return 'onOther' in props ? (
    <AddressWay {...props} />
  ) : (
    <AddressForm email={props.given?.email} onGiven={props.onGiven} />
  );
}

interface AddressFormProps {
  readonly email: string | undefined;
  readonly onGiven: (given: GivenAddress) => void;
}

function AddressForm({ email, onGiven }: AddressFormProps) {
  const words = useWords(sessionWords);
  const search: { readonly organization?: string; readonly next?: unknown } = useSearch({ strict: false });
  const { organization: slug } = search;
  const next = safeNext(search.next);
  const [find, visit] = [useFindOrganization(next), useVisitOrganization(next)];
  const problem = useProblem(find.error);
  const isUnknown = useProblem(visit.error)?.code === 'NOT_FOUND';
  const hasBegun = useRef(false);
  useEffect(() => {
    if (slug === undefined || email !== undefined || hasBegun.current) return;
    hasBegun.current = true;
    visit.mutate({ slug });
  });
  return (
    <PlainForm
      refusal={find.error}
      onSubmit={({ text }) => find.mutate(text('email'), { onSuccess: onGiven })}
    >
      {isUnknown && <Unknown />}
      {visit.error !== null && !isUnknown && <Failure error={visit.error} />}
      {find.error !== null && <Failure error={find.error} />}
      <TextField
        name="email"
        type="email"
        autoComplete="username webauthn"
        label={words.email}
        error={problem?.fields['email']}
        defaultValue={email && shownEmail(email)}
        autoFocus
      />
      <Button type="submit" kind="primary" isBusy={find.isPending || visit.isPending}>
        {words.goOn}
      </Button>
    </PlainForm>
  );
}

function Unknown() {
  const { organization: words } = useWords(waysWords);
  return <Notice kind="problem">{words.unknown}</Notice>;
}

interface AddressWayProps {
  readonly given: GivenAddress;
  readonly onOther: () => void;
}

/** Between the address that was given and the password: the way through the organization, and the way back. */
function AddressWay({ given, onOther }: AddressWayProps) {
  const { organization: words } = useWords(waysWords);
  const search: { readonly next?: unknown } = useSearch({ strict: false });
  const visit = useVisitOrganization(safeNext(search.next));
  const { email, isOfOrganization, begun } = given;
  return (
    <>
      <Button kind="plain" onClick={onOther}>
        {words.other}
      </Button>
      {visit.error !== null && <Failure error={visit.error} />}
      {isOfOrganization && (
        <Button
          kind="primary"
          autoFocus
          isBusy={visit.isPending}
          onClick={() => visit.mutate({ email, begun })}
        >
          {words.go}
        </Button>
      )}
    </>
  );
}
