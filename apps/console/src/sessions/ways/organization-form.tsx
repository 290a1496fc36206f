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
import type { FirstFormProps } from '../sign-in-form.tsx';
import { useVisitOrganization } from './providers.queries.ts';
import { waysWords } from './ways.words.ts';

/**
 * Signing in at the identity provider of an organization: by an address, whose domain decides, or at once at the organization that a
 * link names.
 */
export function OrganizationForm({ email }: FirstFormProps) {
  const words = useWords(waysWords);
  const session = useWords(sessionWords);
  const search: { readonly organization?: string; readonly next?: unknown } = useSearch({ strict: false });
  const { organization: slug } = search;
  const visit = useVisitOrganization(safeNext(search.next));
  const problem = useProblem(visit.error);
  const hasBegun = useRef(false);
  useEffect(() => {
    if (slug === undefined || hasBegun.current) return;
    hasBegun.current = true;
    visit.mutate({ slug });
  });
  const isUnknown = problem?.code === 'NOT_FOUND';
  return (
    <PlainForm refusal={visit.error} onSubmit={({ text }) => visit.mutate({ email: text('email') })}>
      {isUnknown && <Notice kind="problem">{words.organization.unknown}</Notice>}
      {visit.error !== null && !isUnknown && <Failure error={visit.error} />}
      <p>{words.organization.about}</p>
      <TextField
        name="email"
        type="email"
        autoComplete="username"
        label={session.email}
        error={problem?.fields['email']}
        defaultValue={email && shownEmail(email)}
        autoFocus
      />
      <Button type="submit" kind="primary" isBusy={visit.isPending}>
        {words.organization.submit}
      </Button>
    </PlainForm>
  );
}
