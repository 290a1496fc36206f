import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import type { Requests } from '../database.ts';
import { fieldNoteNotFound } from '../field-notes/field-notes.errors.ts';
import { FieldNotePath } from '../field-notes/field-notes.schemas.ts';
import { mailedTooOften } from './sending.errors.ts';
import type { Sending } from './sending.ts';
import { LetterAnswer, LetterSchema } from './sending.schemas.ts';

/** The API that mails field notes. */
export function sendingRoutes(
  app: Service,
  { sending, once }: Requests & { readonly sending: Sending },
): void {
  app.post(
    '/api/field-notes/:id/send',
    {
      config: {
        access: 'leads:write',
        errors: [fieldNoteNotFound(), mailedTooOften()],
        idempotent: true,
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
    async (request, reply) =>
      once(request, reply, async (context) => {
        const sent = { ...request.params, ...request.body };
        return success(await sending.send(context, sent), request.id);
      }),
  );
}
