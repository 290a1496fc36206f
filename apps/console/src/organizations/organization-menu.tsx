import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { shownDomain } from '@tenantry/text';
import { useEffect, useState } from 'react';
import { TextField } from '../design/field.tsx';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../design/language.ts';
import { Menu, MenuChoices, MenuEntry, useCloseMenu, useMenuLink } from '../design/menu.tsx';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useVisitOrganization } from '../sessions/ways/providers.queries.ts';
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
  const { organization, organizations, session } = useSignedIn();
  const [search, setSearch] = useState('');
  const [change, join, visit] = [useSwitchOrganization(), useJoinOrganization(), useVisitOrganization('/')];
  const failure = change.error ?? join.error ?? visit.error;
  const name = organization?.name ?? words.none;
  const found = organizationsCalled(search, organizations);
  return (
    <Menu
      label={words.label(name)}
      side="start"
      button={
        <>
          <span className={styles['active']}>{name}</span>
          <Icon name="down" />
        </>
      }
      head={
        <>
          {organizations.length >= searchedFrom && <Search onSearch={setSearch} />}
          {failure !== null && <Failure error={failure} />}
          <p role="status" className={styles['quiet']}>
            {organizations.length > 0 && found.length === 0 && words.nothingFound}
          </p>
        </>
      }
    >
      <Choice organizations={found.filter(isOpen)} onChoose={(id) => change.mutate(id)} />
      {found
        .filter((each) => !isOpen(each))
        .map((each) => (
          <Locked key={each.id} organization={each} onVisit={() => visit.mutate({ slug: each.slug })} />
        ))}
      <Joinable join={join} />
      {session.confinedTo === undefined && <CreateLink />}
    </Menu>
  );
}

/** Whether it asks for no more than the account has. */
const isOpen = ({ accessible, ssoRequired }: api.OrganizationListItem): boolean => accessible && !ssoRequired;

/** Which of them are in the menu; all again once it is closed. */
function Search({ onSearch }: { readonly onSearch: (text: string) => void }) {
  const { menu: words } = useWords(organizationWords);
  useEffect(() => () => onSearch(''), [onSearch]);
  return (
    <TextField
      {...{ name: 'organization-search', type: 'search', label: words.search, autoComplete: 'off' }}
      onChange={({ target }) => onSearch(target.value)}
    />
  );
}

interface ChoiceProps {
  readonly organizations: readonly api.OrganizationListItem[];
  readonly onChoose: (id: string) => void;
}

function Choice({ organizations, onChoose }: ChoiceProps) {
  const { menu: words, roles } = useWords(organizationWords);
  const close = useCloseMenu();
  if (organizations.length === 0) return null;
  const active = organizations.find((each) => each.active)?.id ?? '';
  return (
    <MenuChoices
      label={words.list}
      choices={organizations.map(({ id, name, role }) => [
        id,
        <Named key={id} {...{ name }} about={roles[role]} />,
      ])}
      chosen={active}
      onChoose={(id) => (id === active ? close() : onChoose(id))}
    />
  );
}

/** The name of an organization, with what is to know about it. */
function Named({ name, about }: { readonly name: string; readonly about: string }) {
  return (
    <span className={styles['named']}>
      <span className={styles['name']}>{name}</span> <span className={styles['quiet']}>{about}</span>
    </span>
  );
}

interface LockedProps {
  readonly organization: api.OrganizationListItem;
  readonly onVisit: () => void;
}

/** One that asks for more than the account has, and the way to what it asks for. */
function Locked({ organization: { name, ssoRequired }, onVisit }: LockedProps) {
  const { menu: words } = useWords(organizationWords);
  const link = useMenuLink();
  if (ssoRequired) {
    return (
      <MenuEntry stays onChoose={onVisit}>
        <Named name={name} about={`${words.lockedBySso} ${words.continueBy}`} />
        <Icon name="lock" />
      </MenuEntry>
    );
  }
  return (
    <Link to="/account/security" {...link}>
      <Named name={name} about={`${words.locked} ${words.unlock}`} />
      <Icon name="lock" />
    </Link>
  );
}

/** Organizations that let the reader in by their address. */
function Joinable({ join }: { readonly join: ReturnType<typeof useJoinOrganization> }) {
  const { menu: words } = useWords(organizationWords);
  return useJoinableOrganizations().map((organization) => (
    <MenuEntry key={organization.id} stays isBusy={join.isPending} onChoose={() => join.mutate(organization)}>
      <Named name={words.join(organization.name)} about={words.joinBy(shownDomain(organization.domain))} />
    </MenuEntry>
  ));
}

function CreateLink() {
  const { menu: words } = useWords(organizationWords);
  return (
    <Link to="/organizations/new" {...useMenuLink()}>
      {words.create}
      <Icon name="plus" />
    </Link>
  );
}
