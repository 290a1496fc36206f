import serializers from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';

const compile = serializers()();
const compiled = new WeakMap<object, ReturnType<typeof compile>>();

/** Compiles the serializer of a schema once, however many methods, routes and services of a process use it. */
export const serializerCompiler: FastifySerializerCompiler<unknown> = ({
  schema,
  method,
  url,
  httpStatus = '',
}) => {
  const known = compiled.get(schema as object);
  if (known) return known;
  const made = compile({ schema, method, url, httpStatus });
  compiled.set(schema as object, made);
  return made;
};
