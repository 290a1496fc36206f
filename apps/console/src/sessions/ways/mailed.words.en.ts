/** What is said about signing in by a letter: other languages say the same. */
export const words = {
  link: 'You opened a sign-in link.',
  about: 'We e-mail you a code to sign in with. You need no password.',
  send: 'Send the code',
  sent: (email: string) => `If ${email} can sign in here, an e-mail with a code is on its way.`,
  sentThere: 'An e-mail with a code is on its way to the address of that account. It completes the sign-in.',
  sentAgain: 'Another e-mail is on its way. Only its code works from now on.',
  label: 'Code from the e-mail',
  hint: 'Eight digits. If no new e-mail arrives, the code of the last one works.',
  left: (seconds: number) =>
    seconds > 60
      ? `The code works for another ${Math.ceil(seconds / 60)} minutes.`
      : `The code works for another ${seconds} s.`,
  over: 'The code has probably expired. Send another one.',
  wrong: 'The code is wrong or has expired. Check it, or send another one.',
  resend: 'Send another code',
  otherAddress: 'Use another address',
};

/** The words about signing in by a letter in one language. */
export type MailedWords = typeof words;
