/** What is said about the directory behind a connection: other languages say the same. */
export const words = {
  title: 'Directory',
  about:
    'Your directory can add and remove people by itself, by SCIM. Whoever is removed there has no access here within a second. It reaches people with an address in a proven domain, and no owner who has not linked their account.',
  address: 'Give it this address',
  copy: 'Copy directory address',
  copied: 'Copied',
  uncopied: 'Copy it by hand',
  people: (people: number) =>
    people === 0
      ? 'It manages nobody yet.'
      : `It manages ${people === 1 ? 'one person' : `${people} people`}, those who have left included.`,
  tokens: 'Tokens of the directory',
  none: 'It has no token yet: it can do nothing.',
  ending: (ending: string) => `Token that ends in ${ending}`,
  created: (when: string, by: string | null) =>
    by === null ? `Created ${when}` : `Created ${when} by ${by}`,
  used: (when: string) => `Last used ${when}`,
  neverUsed: 'Never used',
  create: 'New token',
  remove: {
    action: (ending: string) => `Delete …${ending}`,
    sure: 'The directory can do nothing with it any more, at once.',
    confirm: 'Delete token',
    done: 'The token was deleted.',
  },
  shown: {
    title: 'Your new token',
    once: 'This token is not shown again. Copy it now, and paste it where your directory asks for a token.',
    token: 'Token',
    copyToken: 'Copy token',
    copied: 'Copied',
    uncopied: 'Copy it by hand',
    done: 'Done',
    unsaved: 'You have not copied the token. Once this is closed, nobody can see it again.',
    keep: 'Keep it open',
    close: 'Close without copying',
  },
  groups: {
    title: 'Groups and roles',
    about:
      'People in a group have the role that you give it, at once, and lose it as they leave the group. Of several groups, the highest role counts. Owners stay owners.',
    none: 'It has no groups. Once it sends some, you can give roles by them here.',
    people: (people: number) =>
      people === 0 ? 'Nobody is in it' : people === 1 ? 'One person' : `${people} people`,
    roles: { none: 'Gives no role', member: 'Members', admin: 'Admins' },
    done: (group: string, role: string) => `${group}: ${role}.`,
    more: (count: number) => `Show ${count} more`,
  },
  cancel: 'Cancel',
};

/** The words for directories in one language. */
export type DirectoryWords = typeof words;
