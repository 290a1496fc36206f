import { isPreflight, type Service } from '@tenantry/service-kit';

/** Answers the preflights that @fastify/cors has granted and that have been counted: no service needs to know of them. */
export function answerPreflights(app: Service): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (isPreflight(request.method, request.headers)) reply.code(204).send();
    else done();
  });
}
