/** What is said about the first page: other languages say the same. */
export const words = {
  title: (name: string) => `Welcome, ${name}`,
  standing: (role: string) => `Your role: ${role}`,
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
};

/** The words about the first page in one language. */
export type HomeWords = typeof words;
