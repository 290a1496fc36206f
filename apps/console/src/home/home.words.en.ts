/** What is said about the first page: other languages say the same. */
export const words = {
  title: (name: string) => `Welcome, ${name}`,
  facts: { role: 'Your role', slug: 'Short name', since: 'Since' },
  choose: {
    title: 'Choose an organization',
    text: 'You belong to several, and none is active. Choose one above.',
  },
  create: {
    title: 'Create your organization',
    text: 'Leads, quotes and people belong to an organization. Create one, or ask a colleague to invite you to theirs.',
    action: 'Create organization',
  },
  refused: {
    title: 'Your organization asks for two-factor authentication',
    text: 'Set it up for your account, then choose the organization again above.',
    action: 'Go to your account',
  },
  secure: {
    title: 'Protect your account',
    text: 'With two-factor authentication a stolen password is not enough to sign in as you.',
    action: 'Turn on two-factor authentication',
  },
  build: {
    title: 'Build on the API',
    text: 'Everything here is done through an API that is open to your own programs.',
    action: 'Read the API reference',
  },
};

/** The words about the first page in one language. */
export type HomeWords = typeof words;
