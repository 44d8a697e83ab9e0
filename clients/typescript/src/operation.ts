import type { paths } from "./api.js";

// The types of a request and its answer, taken from the generated description.

export type Method = "get" | "post" | "patch" | "put" | "delete";

/** The paths that have this method, without the stream of events, which `watchCart` reads. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, Stream> ? never : paths[P] extends Record<M, Described> ? P : never;
}[keyof paths];

interface Described {
  responses: unknown;
}

interface Stream {
  responses: { 200: { content: { "text/event-stream": unknown } } };
}

type Operation<P extends keyof paths, M extends Method> = paths[P][M];

type Path<O> = O extends { parameters: { path: infer V } } ? { path: V } : unknown;

/** The parameters of a query: never if the operation has none. */
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Exclude<Q, undefined> : never;

/** The additions that an answer of the operation can have. */
export type IncludeOf<P extends keyof paths, M extends Method> =
  QueryOf<Operation<P, M>> extends { include?: (infer Name extends string)[] } ? Name : never;

type Query<O, I extends readonly unknown[]> = { query?: Omit<QueryOf<O>, "include"> & { include?: I } };

type Body<O> = O extends { requestBody: { content: { "application/json": infer V } } }
  ? { body: V }
  : O extends { requestBody?: { content: { "application/json": infer V } } }
    ? { body?: V }
    : unknown;

/** The options of every request. null, which an answer has where it lacks a value, counts as absent. */
export interface Common {
  /** The write is done only on this version: the `etag` of an earlier answer. */
  ifMatch?: string | null;
  /** The `etag` of a kept answer: if it is still current, the failure is `unchanged`. */
  ifNoneMatch?: string | null;
  /** The key of an earlier write whose outcome is unknown. Without it the client makes a new one. */
  idempotencyKey?: string | null;
  signal?: AbortSignal;
}

export type Input<P extends keyof paths, M extends Method, I extends readonly unknown[] = readonly IncludeOf<P, M>[]> = Common &
  Path<Operation<P, M>> &
  Query<Operation<P, M>, I> &
  Body<Operation<P, M>>;

/** The input is optional if none of its members is required. */
export type Arguments<P extends keyof paths, M extends Method, I extends readonly unknown[]> =
  {} extends Input<P, M> ? [input?: Input<P, M, I>] : [input: Input<P, M, I>];

type Content<R> = R extends { content: infer C } ? C[keyof C] : undefined;

/** The names in a list that is written out: never if the compiler does not know which ones it has. */
type Named<I extends readonly unknown[]> = number extends I["length"] ? never : I[number];

/** A body that has the additions which were asked for. */
type With<B, Name> = [keyof B & Name] extends [never] ? B : Omit<B, keyof B & Name> & Required<Pick<B, keyof B & Name>>;

/** The body of a success. The additions of `include` are there if they are written out in the request. */
export type Success<P extends keyof paths, M extends Method, I extends readonly unknown[] = []> =
  Operation<P, M> extends { responses: infer R }
    ? With<{ [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Content<R[S]> : never }[keyof R], Named<I>>
    : never;
