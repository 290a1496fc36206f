import { Type } from 'typebox';

/** How mail leaves: by SMTP, or into files. */
export const mailSettings = {
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://',
      messages: { pattern: 'must begin with smtp:// or smtps://' },
      description:
        'mail server, such as smtps://user:password@host; without one, mail is written to MAIL_DIRECTORY',
    }),
  ),
  MAIL_DIRECTORY: Type.String({
    default: '.tenantry/mail',
    description: 'directory for mail when SMTP_URL is not set',
  }),
  MAIL_FROM: Type.String({
    pattern: '^[^\\r\\n]*@[^\\r\\n]+$',
    messages: { pattern: 'must be one e-mail address, with or without a name' },
    default: 'Tenantry <no-reply@tenantry.localhost>',
    description: 'sender of e-mails',
  }),
} as const;
