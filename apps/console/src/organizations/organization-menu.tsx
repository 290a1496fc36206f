import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { useState } from 'react';
import { Disclosure } from '../design/disclosure.tsx';
import { TextField } from '../design/field.tsx';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../design/language.ts';
import { shownDomain } from '@tenantry/text';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { ContinueByOrganization } from './continue-by-organization.tsx';
import styles from './organization-menu.module.css';
import { organizationsCalled } from './organization-search.ts';
import { useJoinableOrganizations, useJoinOrganization } from './joinable.queries.ts';
import { useSwitchOrganization } from './organizations.queries.ts';
import { organizationWords } from './organizations.words.ts';

/** With fewer organizations, looking is faster than searching. */
const searchedFrom = 8;

/** Which organization is active, and the way to another. */
export function OrganizationMenu() {
  const { menu: words } = useWords(organizationWords);
  const { organization } = useSignedIn();
  const name = organization?.name ?? words.none;
  return (
    <Disclosure
      label={words.label(name)}
      side="start"
      button={
        <>
          <span className={styles['active']}>{name}</span>
          <Icon name="down" />
        </>
      }
    >
      {(close) => <Choice onChosen={close} />}
    </Disclosure>
  );
}

function Choice({ onChosen }: { readonly onChosen: () => void }) {
  const { menu: words } = useWords(organizationWords);
  const { organizations, session } = useSignedIn();
  const [search, setSearch] = useState('');
  const found = organizationsCalled(search, organizations);
  const change = useSwitchOrganization();
  return (
    <>
      {organizations.length >= searchedFrom && (
        <TextField
          name="organization-search"
          type="search"
          label={words.search}
          autoComplete="off"
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      {change.error !== null && <Failure error={change.error} />}
      <ul className={styles['list']} aria-label={words.list}>
        {found.map((organization) => (
          <li key={organization.id}>
            <Entry
              organization={organization}
              onChoose={() => (organization.active ? onChosen() : change.mutate(organization.id))}
              onLeave={onChosen}
            />
          </li>
        ))}
      </ul>
      <p role="status" className={styles['quiet']}>
        {organizations.length > 0 && found.length === 0 && words.nothingFound}
      </p>
      <Joinable />
      {session.confinedTo === undefined && (
        <Link to="/organizations/new" className={styles['create']} onClick={onChosen}>
          <Icon name="plus" />
          {words.create}
        </Link>
      )}
    </>
  );
}

/** Organizations that let the reader in by their address. */
function Joinable() {
  const { menu: words } = useWords(organizationWords);
  const joinable = useJoinableOrganizations();
  const join = useJoinOrganization();
  if (joinable.length === 0) return null;
  return (
    <>
      {join.error !== null && <Failure error={join.error} />}
      {joinable.map((organization) => (
        <button
          key={organization.id}
          type="button"
          className={`${styles['entry']} ${styles['join']}`}
          aria-disabled={join.isPending || undefined}
          onClick={() => join.mutate(organization)}
        >
          <span className={styles['name']}>{words.join(organization.name)}</span>
          <span className={styles['quiet']}>{words.joinBy(shownDomain(organization.domain))}</span>
        </button>
      ))}
    </>
  );
}

interface EntryProps {
  readonly organization: api.OrganizationListItem;
  readonly onChoose: () => void;
  readonly onLeave: () => void;
}

/** An organization to go to; one that asks for more than the account has says so. */
function Entry({ organization, onChoose, onLeave }: EntryProps) {
  const { menu: words, roles } = useWords(organizationWords);
  const { name, slug, role, active, accessible, ssoRequired } = organization;
  if (ssoRequired) {
    return (
      <div className={styles['locked']}>
        <p className={styles['name']}>
          {name} <Icon name="lock" />
        </p>
        <p className={styles['quiet']}>{words.lockedBySso}</p>
        <ContinueByOrganization slug={slug} />
      </div>
    );
  }
  if (!accessible) {
    return (
      <div className={styles['locked']}>
        <p className={styles['name']}>
          {name} <Icon name="lock" />
        </p>
        <p className={styles['quiet']}>
          {words.locked}{' '}
          <Link to="/account" onClick={onLeave}>
            {words.unlock}
          </Link>
        </p>
      </div>
    );
  }
  return (
    <button type="button" className={styles['entry']} aria-current={active || undefined} onClick={onChoose}>
      <span className={styles['name']}>{name}</span>
      <span className={styles['quiet']}>{roles[role]}</span>
      {active && <Icon name="check" />}
    </button>
  );
}
