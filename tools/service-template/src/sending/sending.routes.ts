//#file mail
import { memberOf } from '@tenantry/business-service'; //#with audit
import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service-kit';
import type { TenantOf } from '../database.ts';
import { fieldNoteNotFound } from '../field-notes/field-notes.errors.ts';
import { FieldNotePath } from '../field-notes/field-notes.schemas.ts';
import { mailedTooOften } from './sending.errors.ts';
import type { Sending } from './sending.ts';
import { LetterAnswer, LetterSchema } from './sending.schemas.ts';

export interface SendingRoutesOptions {
  readonly sending: Sending;
  readonly tenantOf: TenantOf;
}

/** The API that mails field notes. */
export async function sendingRoutes(app: Service, { sending, tenantOf }: SendingRoutesOptions): Promise<void> {
  app.post(
    '/api/field-notes/:id/send',
    {
      config: {
        access: 'field-notes:write',
        errors: [fieldNoteNotFound(), mailedTooOften()],
        idempotent: true, //#with idempotency
      },
      schema: {
        operationId: 'sendFieldNote',
        tags: ['field notes'],
        summary: 'Mail a field note',
        params: FieldNotePath,
        body: LetterSchema,
        response: { 200: LetterAnswer },
      },
    },
    async (request) => {
      const { userId: actorUserId } = memberOf(request); //#with audit
      const sent = { ...request.params, ...request.body/*#audit , actorUserId*/ };
      return success(await sending.send(tenantOf(request), sent), request.id);
    },
  );
}
