import { Link } from '@tanstack/react-router';
import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Facts } from '../design/facts.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { abilitiesOf } from './abilities.ts';
import { LeaveAction } from './leave-action.tsx';
import styles from './people.module.css';
import { usePerson, useViewer, type Person } from './people.queries.ts';
import { peopleWords } from './people.words.ts';
import { PersonActions } from './person-actions.tsx';
import { RenameForm, RoleForm } from './person-forms.tsx';

interface PersonDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

/** Somebody, and what the reader can do with them. */
export function PersonDialog({ person: listed, onClose }: PersonDialogProps) {
  const words = useWords(peopleWords);
  const viewer = useViewer();
  const { data } = usePerson(listed);
  const [done, setDone] = useState<string>();
  const { person, etag } = data ?? { person: listed, etag: undefined };
  const abilities = abilitiesOf(viewer, person);
  const concerns = { person, onDone: setDone, onGone: onClose };
  return (
    <Dialog title={person.name} onClose={onClose}>
      {(close) => (
        <>
          <PersonFacts person={person} />
          {done !== undefined && <Notice kind="success">{done}</Notice>}
          {abilities.includes('rename') && <RenameForm {...concerns} etag={etag} />}
          {abilities.includes('change-role') && <RoleForm {...concerns} />}
          {abilities.includes('leave') ? (
            <div className={styles['actions']}>
              <Link to="/account">{words.name.own}</Link>
              <LeaveAction />
            </div>
          ) : (
            <PersonActions {...concerns} abilities={abilities} />
          )}
          <Row>
            <Button onClick={close}>{words.close}</Button>
          </Row>
        </>
      )}
    </Dialog>
  );
}

function PersonFacts({ person: { email, role, since, disabled } }: { readonly person: Person }) {
  const words = useWords(peopleWords);
  const roles = useRoleNames();
  const formats = useFormats();
  const account = disabled ? [[words.facts.account, words.disabled] as const] : [];
  return (
    <Facts
      facts={[
        [words.facts.email, shownEmail(email)],
        [words.facts.role, roles[role]],
        [words.facts.since, formats.day(since)],
        ...account,
      ]}
    />
  );
}
