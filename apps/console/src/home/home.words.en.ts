const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** What is said about the first page: other languages say the same. */
export const words = {
  title: (name: string) => `Welcome, ${name}`,
  choose: {
    title: 'Choose an organization',
    text: 'You belong to several organizations, and none is active. Choose one above.',
  },
  create: {
    title: 'Create your organization',
    text: 'Leads, quotes and people belong to an organization. Create one, or ask a colleague to invite you to theirs.',
    action: 'Create organization',
  },
  refused: {
    title: 'Your organization requires two-factor authentication',
    text: 'Set it up for your account, then choose the organization again above.',
    action: 'Go to your account',
  },
  refusedBySso: {
    title: (name: string) => `${name} wants you to sign in through it`,
    text: 'Your own ways to sign in do not reach this organization. Continue with the account that it gave you.',
    action: 'Continue with your organization',
  },
  join: {
    title: (name: string) => `Join ${name}`,
    text: (domain: string) =>
      `This organization is open to people with an address in ${domain}. You join as a member.`,
    twoFactor: 'It requires two-factor authentication: set it up for your account first.',
    action: 'Join',
  },
  secure: {
    title: 'Protect your account',
    text: 'With two-factor authentication a stolen password is not enough to sign in as you.',
    action: 'Turn on two-factor authentication',
  },
  steps: {
    title: 'First steps',
    dismiss: 'Dismiss',
    done: 'Done',
    letterhead: {
      title: 'Say who you are',
      text: 'Your address, VAT number and logo appear on every quote.',
    },
    lead: {
      title: 'Add your first lead',
      text: 'Someone who may buy from you: enter one, or import a list.',
    },
    quote: {
      title: 'Write your first quote',
      text: 'Send it from here; your customer accepts it in a browser.',
    },
  },
  beginning: {
    title: 'Nothing waits for you yet',
    text: 'Quotes without an answer and leads to contact will be here, with what they come to.',
    quote: 'Write your first quote',
    lead: 'Add a lead',
  },
  waiting: {
    title: 'Waiting for you',
    endingTitle: 'Ends within a week',
    openedTitle: 'Opened, not answered',
    unansweredTitle: 'Not answered',
    untouchedTitle: 'Leads not contacted yet',
    acceptedTitle: 'Accepted this week',
    none: 'Every quote you sent has been answered, and every lead contacted.',
    noneSent: 'No quote has been sent yet.',
    all: 'Show all of them',
    sent: (ago: string) => `Sent ${ago}`,
    opened: (ago: string) => `Opened ${ago}`,
    until: (day: string) => `Valid until ${day}`,
  },
  figures: {
    title: 'What quotes are worth',
    draft: 'Drafts',
    sent: 'Waiting for an answer',
    expired: 'Expired without an answer',
    accepted: 'Accepted in twelve weeks',
    share: (percent: string) => `${percent} of all answers`,
  },
  chart: {
    table: 'Show the numbers',
  },
  leads: {
    title: (added: number, won: number) =>
      `${count(added, 'lead', 'leads')} added and ${won} won in the last twelve weeks`,
    about: 'Leads that entered each status, week by week, and how many have it now.',
    statuses: { new: 'New', contacted: 'Contacted', qualified: 'Qualified', won: 'Won', lost: 'Lost' },
    table: 'Leads that entered each status, by week',
    week: 'Week from',
    now: 'Now',
    bar: (leads: number, week: string) => `${count(leads, 'lead', 'leads')} in the week from ${week}`,
  },
  quotes: {
    statuses: {
      sent: 'Sent',
      accepted: 'Accepted',
      rejected: 'Declined',
    },
    count: (quotes: number) => count(quotes, 'quote', 'quotes'),
  },
  pace: {
    title: (sent: number, accepted: number) =>
      `${count(sent, 'quote', 'quotes')} sent and ${accepted} accepted in the last twelve weeks`,
    about: 'Quotes that were sent and answered, week by week, with their value including VAT.',
    table: 'Quotes that were sent and answered, by week',
    bar: (quotes: string, week: string) => `${quotes} in the week from ${week}`,
    between: ', ',
  },
};

/** The words about the first page in one language. */
export type HomeWords = typeof words;
