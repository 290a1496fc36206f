import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import 'reflect-metadata';
import { Controller, Delete, Get, Logger, Post, type INestApplication, type Type } from '@nestjs/common';
import { createAdaptorServer } from '@hono/node-server';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express5 from 'express';
import express4 from 'express-4';
import Fastify from 'fastify';
import fastify4 from 'fastify-4';
import { Hono } from 'hono';
import {
  AccessError,
  authenticate,
  authorize,
  recheck,
  requireRecentFactor,
  requireUser,
  type Identity,
  type Member,
  type Verifier,
} from '@tenantry/jwt-verify';
import * as onExpress from '@tenantry/jwt-verify/express';
import * as onFastify from '@tenantry/jwt-verify/fastify';
import * as onNest from '@tenantry/jwt-verify/nest';
import * as onTheWeb from '@tenantry/jwt-verify/web';
import { clock } from './mutations.ts';
import { permissions } from './permissions.ts';

/** A running service, asked as a client asks it. */
export interface RunningService {
  send(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/**
 * The same service by every adapter: `GET /public` for anyone, `GET /me` for users, `GET /invoices` for
 * members with a permission of the service's own, `POST /invoices` for owners, who send a body, `DELETE /invoices` for owners who
 * authenticated recently.
 */
export const services: Readonly<Record<string, (verifier: Verifier) => Promise<RunningService>>> = {
  'Fastify 5': (verifier) => fastifyService(Fastify, verifier),
  // Its types differ in what is not asked here.
  'Fastify 4': (verifier) => fastifyService(fastify4 as unknown as typeof Fastify, verifier),
  'Express 5': (verifier) => expressService(express5, verifier),
  'Express 4': (verifier) => expressService(express4, verifier),
  'node:http': nodeService,
  'a fetch handler': webService,
  Hono: honoService,
  'Nest on Express': (verifier) => nestService(verifier, new ExpressAdapter()),
  'Nest on Fastify': (verifier) => nestService(verifier, new FastifyAdapter()),
};

const recent = { maxAgeSeconds: 300, clock };

async function fastifyService(fastify: typeof Fastify, verifier: Verifier): Promise<RunningService> {
  const { memberOf, identityOf } = onFastify;
  const access = onFastify.jwtAccess(verifier, { permissions });
  const app = fastify();
  app.setErrorHandler(onFastify.answerRefusals);
  await app.register(access.protect);
  app.get('/public', { config: { public: true } }, async (request) => ({ identity: request.identity }));
  app.get('/me', { onRequest: access.requiresUser }, async (request) => ({
    userId: identityOf(request).userId,
  }));
  app.get('/invoices', { onRequest: access.requires('invoices:read') }, async (request) => ({
    organizationId: memberOf(request).organizationId,
  }));
  const sensitive = [access.requires('invoices:delete'), access.requiresRecentFactor(recent)];
  app.post('/invoices', { onRequest: access.requires('invoices:write') }, async () => ({ written: true }));
  app.delete('/invoices', { onRequest: sensitive }, async () => ({ deleted: true }));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return { send: (path, init) => fetch(origin + path, init), close: () => app.close() };
}

async function expressService(express: typeof express5, verifier: Verifier): Promise<RunningService> {
  const { identityOf, memberOf } = onExpress;
  const access = onExpress.jwtAccess(verifier, { permissions });
  const app = express();
  app.get('/public', (_request, response) => void response.json({ identity: null }));
  app.use(access.protect, express.json(), access.recheck);
  app.get('/me', access.requiresUser, (request, response) => {
    response.json({ userId: identityOf(request).userId });
  });
  app.get('/invoices', access.requires('invoices:read'), (request, response) => {
    response.json({ organizationId: memberOf(request).organizationId });
  });
  const sensitive = [access.requires('invoices:delete'), access.requiresRecentFactor(recent)];
  app.post('/invoices', access.requires('invoices:write'), (_request, response) => {
    response.json({ written: true });
  });
  app.delete('/invoices', ...sensitive, (_request, response) => void response.json({ deleted: true }));
  app.use(onExpress.answerRefusals);
  return listen(createServer(app as RequestListener));
}

async function nodeService(verifier: Verifier): Promise<RunningService> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<object> => {
      if (request.url === '/public') return { identity: null };
      const identity = await authenticate(verifier, request);
      if (request.url === '/me') {
        requireUser(identity);
        return { userId: identity.userId };
      }
      if (request.method === 'DELETE') {
        authorize(identity, 'invoices:delete', permissions);
        requireRecentFactor(identity, recent);
        return { deleted: true };
      }
      if (request.method === 'POST') {
        authorize(identity, 'invoices:write', permissions);
        await once(request.resume(), 'end');
        await recheck(request);
        return { written: true };
      }
      authorize(identity, 'invoices:read', permissions);
      return { organizationId: identity.organizationId };
    };
    answer().then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => {
        if (!(error instanceof AccessError)) return response.writeHead(500).end();
        const headers = { ...error.headers, 'content-type': 'application/json' };
        return response.writeHead(error.statusCode, headers).end(JSON.stringify(error));
      },
    );
  });
  return listen(server);
}

async function webService(verifier: Verifier): Promise<RunningService> {
  const access = onTheWeb.jwtAccess(verifier, { permissions });
  const reads = access.requires('invoices:read');
  const deletes = access.requires('invoices:delete');
  const writes = access.requires('invoices:write');
  const isRecent = access.requiresRecentFactor(recent);
  const handle = access.protect(async (request: Request, { userId }) => {
    if (new URL(request.url).pathname === '/me') {
      await access.requiresUser(request);
      return Response.json({ userId });
    }
    if (request.method === 'GET') {
      return Response.json({ organizationId: (await reads(request)).organizationId });
    }
    if (request.method === 'POST') {
      await writes(request);
      await request.text();
      return Response.json({ written: true });
    }
    await deletes(request);
    await isRecent(request.headers);
    return Response.json({ deleted: true });
  });
  return listen(
    createAdaptorServer({
      fetch: (request) =>
        new URL(request.url).pathname === '/public' ? Response.json({ identity: null }) : handle(request),
    }) as Server,
  );
}

async function honoService(verifier: Verifier): Promise<RunningService> {
  const access = onTheWeb.jwtAccess(verifier, { permissions });
  const reads = access.requires('invoices:read');
  const deletes = access.requires('invoices:delete');
  const isRecent = access.requiresRecentFactor(recent);
  const app = new Hono<{ Variables: { userId: string } }>();
  app.get('/public', (context) => context.json({ identity: null }));
  app.use(async (context, next) => {
    context.set('userId', (await access.signedIn(context.req.raw)).userId);
    await next();
  });
  app.get('/me', async (context) => {
    await access.requiresUser(context.req.raw);
    return context.json({ userId: context.get('userId') });
  });
  app.get('/invoices', async (context) => {
    const { organizationId } = await reads(context.req.raw);
    return context.json({ organizationId });
  });
  app.post('/invoices', async (context) => {
    await access.requires('invoices:write')(context.req.raw);
    await context.req.text();
    return context.json({ written: true });
  });
  app.delete('/invoices', async (context) => {
    await deletes(context.req.raw);
    await isRecent(context.req.raw);
    return context.json({ deleted: true });
  });
  app.onError((error) => onTheWeb.refusal(error));
  return listen(createAdaptorServer({ fetch: app.fetch }) as Server);
}

async function nestService(
  verifier: Verifier,
  adapter: ExpressAdapter | FastifyAdapter,
): Promise<RunningService> {
  const { Public, CurrentIdentity, CurrentMember } = onNest;
  const { protect, Requires, RequiresUser, RequiresRecentFactor } = onNest.jwtAccess(verifier, {
    permissions,
  });
  class Service {
    anyone(): object {
      return { identity: null };
    }
    me({ userId }: Identity): object {
      return { userId };
    }
    list({ organizationId }: Member): object {
      return { organizationId };
    }
    write(): object {
      return { written: true };
    }
    remove(): object {
      return { deleted: true };
    }
  }
  decorated(Service, {
    anyone: [Get('public'), Public()],
    me: [Get('me'), RequiresUser()],
    list: [Get('invoices'), Requires('invoices:read')],
    write: [Post('invoices'), Requires('invoices:write')],
    remove: [Delete('invoices'), Requires('invoices:delete'), RequiresRecentFactor(recent)],
  });
  CurrentIdentity()(Service.prototype, 'me', 0);
  CurrentMember()(Service.prototype, 'list', 0);
  const app = await nestOf(Service, adapter);
  app.useGlobalGuards(protect);
  app.useGlobalFilters(new onNest.RefusalFilter());
  await app.listen(0, '127.0.0.1');
  const origin = await app.getUrl();
  return { send: (path, init) => fetch(origin + path, init), close: () => app.close() };
}

/** Decorates a controller and its handlers as the syntax of decorators would, from the last to the first. */
export function decorated(
  controller: Type,
  handlers: Readonly<Record<string, readonly MethodDecorator[]>>,
  ...decorators: readonly ClassDecorator[]
): void {
  const prototype = controller.prototype as object;
  for (const [name, ofHandler] of Object.entries(handlers)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
    for (const decorate of ofHandler.toReversed()) decorate(prototype, name, descriptor);
  }
  for (const decorate of [Controller(), ...decorators].toReversed()) decorate(controller);
}

/** A Nest application of one controller. */
export async function nestOf(
  controller: Type,
  adapter: ExpressAdapter | FastifyAdapter,
): Promise<INestApplication> {
  Logger.overrideLogger(false);
  return NestFactory.create({ module: controller, controllers: [controller] }, adapter);
}

/** Listens on a free port of 127.0.0.1. */
export async function listen(server: Server): Promise<RunningService> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    send: (path, init) => fetch(origin + path, init),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
