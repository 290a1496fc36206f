import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Page as Frame, Row } from '../design/page.tsx';
import { useMay } from '../sessions/sessions.queries.ts';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PeopleList } from './people-list.tsx';
import { usePeople } from './people.queries.ts';
import { peopleWords } from './people.words.ts';

/** Everybody who belongs to the organization, and who is invited to it. */
export function Page() {
  const words = useWords(peopleWords);
  const may = useMay();
  const [search, setSearch] = useAddressedSearch();
  const [opened, open] = useState<'invite' | 'create'>();
  const close = () => open(undefined);
  const people = usePeople(search);
  const mayInvite = may('inviteMember');
  return (
    <Frame
      title={words.title}
      actions={
        <Row>
          {may('createUser') && <Button onClick={() => open('create')}>{words.create.action}</Button>}
          {mayInvite && (
            <Button kind="primary" onClick={() => open('invite')}>
              {words.invite.action}
            </Button>
          )}
        </Row>
      }
    >
      <PeopleList
        search={search}
        onSearch={setSearch}
        onInvite={mayInvite ? () => open('invite') : undefined}
      />
      {may('listInvitations') && !people.isPending && <InvitationList />}
      {opened === 'invite' && <InviteDialog onClose={close} />}
      {opened === 'create' && <CreateAccountDialog onClose={close} />}
    </Frame>
  );
}

/** What is searched for is in the address, so that Back and a copied link find it again. */
function useAddressedSearch(): readonly [string, (search: string) => void] {
  const { search }: { readonly search?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (typed: string) =>
    void navigate({ to: '/people', search: typed === '' ? {} : { search: typed }, replace: true });
  return [typeof search === 'string' || typeof search === 'number' ? String(search) : '', change];
}
