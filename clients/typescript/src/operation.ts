import type { paths } from "./api.js";

// The types of a request and its answer, taken from the generated description.

export type Method = "get" | "post" | "patch" | "put" | "delete";

/** The paths that have this method. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, Described> ? P : never }[keyof paths];

interface Described {
  responses: unknown;
}

type Operation<P extends keyof paths, M extends Method> = paths[P][M];

type Parameter<O, Kind extends string> = O extends { parameters: { [K in Kind]: infer V } }
  ? { [K in Kind]: V }
  : O extends { parameters: { [K in Kind]?: infer V } }
    ? [V] extends [undefined]
      ? unknown
      : { [K in Kind]?: V }
    : unknown;

type Body<O> = O extends { requestBody: { content: { "application/json": infer V } } }
  ? { body: V }
  : O extends { requestBody?: { content: { "application/json": infer V } } }
    ? { body?: V }
    : unknown;

/** The options of every request. */
export interface Common {
  /** The write is done only on this version: the `etag` of an earlier answer. */
  ifMatch?: string;
  /** The `etag` of a kept answer: if it is still current, the failure is `unchanged`. */
  ifNoneMatch?: string;
  /** The key of an earlier write whose outcome is unknown. Without it the client makes a new one. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export type Input<P extends keyof paths, M extends Method> = Common &
  Parameter<Operation<P, M>, "path"> &
  Parameter<Operation<P, M>, "query"> &
  Body<Operation<P, M>>;

/** The input is optional if none of its members is required. */
export type Arguments<P extends keyof paths, M extends Method> = {} extends Input<P, M>
  ? [input?: Input<P, M>]
  : [input: Input<P, M>];

type Json<R> = R extends { content: { "application/json": infer V } } ? V : undefined;

/** The body of a success. */
export type Success<P extends keyof paths, M extends Method> = Operation<P, M> extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Json<R[S]> : never }[keyof R]
  : never;
