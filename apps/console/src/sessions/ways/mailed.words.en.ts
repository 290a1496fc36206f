/** What is said about signing in by a letter: other languages say the same. */
export const words = {
  link: 'You opened the link of a letter to sign in with.',
  about: 'We mail you a code to sign in with, no password needed.',
  send: 'Send the code',
  sent: (email: string) => `If ${email} can sign in here, a letter with a code is on its way.`,
  sentThere: 'A letter with a code is on its way to the address of that account. It completes the sign-in.',
  sentAgain: 'Another letter is on its way. Only its code works from now on.',
  label: 'Code of the letter',
  hint: 'Eight digits.',
  left: (seconds: number) =>
    seconds > 60
      ? `The code works for another ${Math.ceil(seconds / 60)} minutes.`
      : `The code works for another ${seconds} s.`,
  over: 'The code has probably run out. Send another letter.',
  wrong: 'The code is wrong or has run out. Check it, or send another letter.',
  resend: 'Send another letter',
  otherAddress: 'Use another address',
};

/** The words about signing in by a letter in one language. */
export type MailedWords = typeof words;
