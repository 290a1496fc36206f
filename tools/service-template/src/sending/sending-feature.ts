import type { ServiceConfig } from '@tenantry/service';
import type { Logger } from '@tenantry/service/logging';
import { createMailTransport } from '@tenantry/service/mail';
import type { settings } from '@tenantry/service/settings';
import { DueWork, Outbox, type BackgroundWork } from '@tenantry/service/work';
import type { Database } from '../database.ts';
import { Sending, type FieldNoteMessages, type SendingOptions } from './sending.ts';

/** What sending is put together of. */
export interface SendingFeatureOptions extends Omit<SendingOptions, 'outbox' | 'transport'> {
  readonly config: ServiceConfig<typeof settings.listenerSettings & typeof settings.mailSettings>;
  readonly database: Database;
  readonly logger: Logger;
}

/** Puts sending together, with the work that brings mail out. */
export function createSendingFeature({ config, database, logger, ...options }: SendingFeatureOptions): {
  readonly sending: Sending;
  readonly mail: BackgroundWork;
} {
  const outbox = new Outbox<FieldNoteMessages>();
  const transport = createMailTransport({
    smtpUrl: config.SMTP_URL,
    directory: config.MAIL_DIRECTORY,
    from: config.MAIL_FROM,
  });
  const sending = new Sending({ ...options, outbox, transport });
  const worker = new DueWork({
    ...{ database, logger },
    connectionString: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    kinds: {
      outbox: outbox.delivery({
        'field-note-mail': (...mail: Parameters<Sending['deliver']>) => sending.deliver(...mail),
      }),
    },
  });
  const mail: BackgroundWork = {
    start: () => worker.start(),
    measurements: [...worker.measurements, ...transport.measurements],
    async close() {
      await worker.close();
      await transport.close();
    },
  };
  return { sending, mail };
}
