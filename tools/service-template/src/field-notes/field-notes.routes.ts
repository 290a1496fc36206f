import { page, success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import type { Requests } from '../database.ts';
import { fieldNoteNotFound } from './field-notes.errors.ts';
import type { FieldNotes } from './field-notes.ts';
import {
  FieldNoteAnswer,
  FieldNoteCreatedAnswer,
  FieldNoteListAnswer,
  FieldNoteListQuerySchema,
  FieldNotePath,
  NewFieldNoteSchema,
} from './field-notes.schemas.ts';

const tags = ['field notes'];

/** The field notes API. */
export function fieldNotesRoutes(
  app: Service,
  { fieldNotes, tenantOf, once }: Requests & { readonly fieldNotes: FieldNotes },
): void {
  app.get(
    '/api/field-notes',
    {
      config: { access: 'leads:read', mayReadReplica: true },
      schema: {
        operationId: 'listFieldNotes',
        tags,
        summary: 'List field notes',
        querystring: FieldNoteListQuerySchema,
        response: { 200: FieldNoteListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await fieldNotes.list(tenantOf(request), query);
      return page(items, { ...query, total });
    },
  );

  app.get(
    '/api/field-notes/:id',
    {
      config: { access: 'leads:read', errors: [fieldNoteNotFound()] },
      schema: {
        operationId: 'getFieldNote',
        tags,
        summary: 'Get a field note',
        params: FieldNotePath,
        response: { 200: FieldNoteAnswer },
      },
    },
    async (request) => success(await fieldNotes.get(tenantOf(request), request.params.id), request.id),
  );

  app.post(
    '/api/field-notes',
    {
      config: { access: 'leads:write', idempotent: true },
      schema: {
        operationId: 'createFieldNote',
        tags,
        summary: 'Create a field note',
        body: NewFieldNoteSchema,
        response: { 201: FieldNoteCreatedAnswer },
      },
    },
    async (request, reply) =>
      once(request, reply, async (context) => {
        const { id } = await fieldNotes.create(context, request.body);
        reply.code(201).header('location', `/api/field-notes/${id}`);
        return success({ id }, request.id);
      }),
  );
}
