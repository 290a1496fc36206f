import type { Readable } from 'node:stream';
import { ApiError } from '@tenantry/envelope';
import { AddressedShares, type Asking } from '@tenantry/fair-shares';
import { AccessError, requireRecentFactor } from '@tenantry/jwt-verify';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { FastifyContextConfig, FastifyRequest, FastifySchema } from 'fastify';
import { Type, type Static } from 'typebox';
import { addressKey } from '../addresses/address-key.ts';
import { clientSignal } from '../failures/client-gone.ts';
import { takeTurnOf } from '../failures/turns.ts';
import type { Service } from '../http/service.ts';
import { measureShares } from '../metrics/share-metrics.ts';
import { ClosedObject } from '../resources/fields.ts';
import { sendInterimAnswers } from '../server/interim-answers.ts';
import { endWithAccess } from '../server/lasting-access.ts';
import { exportUnavailable, tooManyExports } from './announce.ts';
import { none, type ArchivedFile, type ArchivedTenant, type Archives } from './archive.ts';

/** Who asks for the files of an archive, as of which moment, and until when. */
export interface FilesAsked {
  readonly moment: Date;
  /** Default: all. */
  readonly pdfs?: 'all' | 'none' | undefined;
  /** The year of PDFs; default: all. */
  readonly year?: number | undefined;
  readonly asking: Asking;
  readonly signal: AbortSignal;
}

/** An export about to begin. */
export interface ExportAsked {
  readonly signal: AbortSignal;
  /** Whether it only asks if one may begin. */
  readonly isCheck: boolean;
}

/** Options of {@link archiveRoutes}. */
export interface ArchiveRoutesOptions {
  /** The service, as `leads-service`. */
  readonly service: string;
  /** `/api/leads/export/organization`. */
  readonly path: string;
  /** What of the route is not alike in every service. */
  readonly route?: {
    readonly config?: Partial<FastifyContextConfig>;
    readonly schema?: Pick<FastifySchema, 'params'>;
  };
  /** The resource, such as `Leads`: names of operations are unique across services. */
  readonly name: string;
  readonly archives: Archives;
  readonly turns: AddressedShares;
  readonly tenantOf: (request: FastifyRequest) => ArchivedTenant;
  /** Tells auth-service of the export, which counts and notes it and writes to the owners. @throws as {@link announceExport} */
  readonly announce: (request: FastifyRequest, asked: ExportAsked) => Promise<void>;
  /** The files of a service that has some. */
  readonly filesOf?:
    | ((request: FastifyRequest, asked: FilesAsked) => AsyncIterable<ArchivedFile>)
    | undefined;
  /** Whether there are PDFs among them, which may be left out. Default: no. */
  readonly hasPdfs?: boolean;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** Maximum age of the second factor, or of the sign-in of who has none (RFC 9470). */
const recent = { maxAgeSeconds: 300 } as const;

/**
 * Archives that one instance writes. Each holds a connection while it reads, so there are only a few: the rest of the pool
 * serves other requests. An organization has one at a time.
 */
export const archiveTurns = () =>
  new AddressedShares({
    name: 'archives',
    runningMax: 2,
    runningPerSharerMax: 1,
    waitingMax: 32,
    waitingPerSharerMax: 1,
    waitMsMax: 120_000,
  });

/** What the turns of archives measure. */
export const measureTurns = ({ shares }: AddressedShares) => shares.flatMap(measureShares);

const zip = 'application/zip';

const checked = {
  mode: Type.Enum(['export', 'check'], {
    default: 'export',
    description:
      '`check` only asks whether an export may begin: 204, or the refusal. A browser asks so before it follows a link, which shows none.',
  }),
};
const CheckQuery = ClosedObject(checked);
const FilesQuery = ClosedObject({
  ...checked,
  pdfs: Type.Enum(['all', 'none'], { default: 'all', description: 'whether the PDFs are in it' }),
  year: Type.Optional(
    Type.Integer({ minimum: 2000, maximum: 9999, description: 'only PDFs of this year', examples: [2026] }),
  ),
});
type Wanted = Static<typeof CheckQuery> & Partial<Static<typeof FilesQuery>>;

/** Everything that a service has of the caller's organization: `GET /api/leads/export/organization`. */
export function archiveRoutes(app: Service, options: ArchiveRoutesOptions): void {
  const { service, path, route = {}, name, archives, turns, tenantOf, announce, clock } = options;
  const { filesOf, hasPdfs = false } = options;
  const required = { ...recent, ...(clock && { clock }) };
  app.get(
    path,
    {
      config: {
        access: 'organization:export',
        ...route.config,
        errors: [
          ...[noTurnLeft(), tooManyExports('3600'), exportUnavailable(), AccessError.userRequired()],
          AccessError.staleAuthentication(recent.maxAgeSeconds),
          AccessError.staleAuthentication(recent.maxAgeSeconds, 'SECOND_FACTOR_REQUIRED'),
          ...(route.config?.errors ?? []),
        ],
      },
      schema: {
        operationId: `export${name}OfOrganization`,
        tags: ['exports'],
        summary: 'Export everything that this service has of the organization',
        description: `For owners who have just authenticated. A ZIP archive: data has each table as lines of JSON, all of one moment, csv has tables for people${hasPdfs ? ', pdf the quotes that were sent' : ''}; README.txt says what is not in it, and why. manifest.json comes last: without it the archive is not whole. At most two an hour, and one at a time. The owners are written to. Once the session has ended, the connection is closed in the middle of the archive.`,
        ...route.schema,
        querystring: hasPdfs ? FilesQuery : CheckQuery,
        produces: [zip],
        response: { 200: Type.Unsafe<Readable>({ type: 'string' }), 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const member = memberOf(request);
      requireRecentFactor(member, required);
      const { organizationId } = member;
      const { mode, pdfs, year } = request.query as Wanted;
      const isCheck = mode === 'check';
      const asking = { organizationId, address: addressKey(request.ip) };
      const signal = clientSignal(reply);
      if (isCheck) {
        await announce(request, { signal, isCheck });
        return reply.code(204).send(null);
      }
      const stop = sendInterimAnswers(reply);
      const turn = await takeTurnOf(turns, { ...asking, signal }, noTurnLeft).catch((error: unknown) => {
        stop();
        throw error;
      });
      try {
        await announce(request, { signal, isCheck });
        const files = (moment: Date) => filesOf?.(request, { moment, pdfs, year, asking, signal }) ?? none();
        const archive = archives.begin({ tenant: tenantOf(request), files });
        archive.once('close', () => turn.giveBack());
        reply.type(zip).header('content-disposition', `attachment; filename="${service}.zip"`);
        return await reply.send(await endWithAccess(request, archive));
      } catch (error) {
        turn.giveBack();
        throw error;
      } finally {
        stop();
      }
    },
  );
}

/** The organization waits for one already, or others take their time. */
const noTurnLeft = (): ApiError =>
  new ApiError('RATE_LIMITED', 'Another export is being written. Try again shortly.', {
    headers: { 'retry-after': '30' },
  });
