import { logoBounds, logoBytesMax, logoPath } from '@tenantry/contracts';
import { pictureMediaTypes, pictureSideMax } from '@tenantry/pictures';
import { acceptStreamOnly, readBytes, type Service } from '@tenantry/service/http';
import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { actingIn, contextIn, notLetInRefusals, OrganizationPath } from '../../ground/index.ts';
import { logoNotFound } from './logos.errors.ts';
import type { Logos } from './logos.ts';

const tags = ['organizations'];
const path = '/api/auth/organization/:organizationId/logo';

const LogoAnswer = {
  description: 'The picture',
  content: Object.fromEntries(
    ['image/png', 'image/jpeg'].map((type) => [
      type,
      { schema: Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }) },
    ]),
  ),
};

/** The logo of an organization: for its members, for those who may change it, and for services that show it. */
export function logosRoutes(app: Service, { logos }: { readonly logos: Logos }): void {
  app.get(
    path,
    {
      config: { access: 'organization:read', confined: true, errors: [...notLetInRefusals, logoNotFound()] },
      schema: {
        operationId: 'getOrganizationLogo',
        tags,
        summary: 'Get the logo of an organization',
        params: OrganizationPath,
        response: { 200: LogoAnswer },
      },
    },
    async ({ principal }, reply) => {
      const { mediaType, content } = await logos.get(actingIn(principal).id);
      return reply.type(mediaType).header('content-disposition', 'inline').send(content);
    },
  );

  app.delete(
    path,
    {
      config: { access: 'organization:update', confined: true, errors: notLetInRefusals },
      schema: {
        operationId: 'deleteOrganizationLogo',
        tags,
        summary: 'Remove the logo of an organization',
        description: 'Sent quotes keep their logo.',
        params: OrganizationPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await logos.remove(contextIn(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    logoPath(':organizationId'),
    { config: { access: 'internal' }, schema: { hide: true, params: OrganizationPath } },
    async ({ params }, reply) => {
      const { mediaType, content } = await logos.get(params.organizationId);
      return reply.type(mediaType).send(content);
    },
  );

  void app.register(async (scope: Service) => uploadRoute(scope, logos));
}

function uploadRoute(app: Service, logos: Logos): void {
  acceptStreamOnly(app, ...pictureMediaTypes);
  app.put(
    path,
    {
      config: {
        access: 'organization:update',
        confined: true,
        streams: pictureMediaTypes,
        errors: notLetInRefusals,
      },
      schema: {
        operationId: 'putOrganizationLogo',
        tags,
        summary: 'Set the logo of an organization',
        description: `A PNG, JPEG or WebP of at most ${logoBytesMax / 1024} KiB and ${pictureSideMax} pixels on either side. It is kept as documents show it: in sRGB, upright, without metadata, and within ${logoBounds.width} by ${logoBounds.height} pixels. New quotes show it; sent quotes keep their logo.`,
        params: OrganizationPath,
        response: {
          200: ClosedObject({
            logo: Type.String({ description: 'SHA-256 of the picture that is kept, hexadecimal' }),
          }),
        },
      },
    },
    async (request) => {
      const content = await readBytes(request, { bytesMax: logoBytesMax });
      return logos.put(contextIn(request), content);
    },
  );
}
