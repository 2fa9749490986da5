import "server-only";
import type { z } from "zod";
import {
  type AnswerOf,
  type ParamsOf,
  type RouteName,
  type Routes,
  routes,
} from "@/app/_api/routes";
import { HttpError } from "@/lib/server/http-error";
import { bodyOf, type RouteContext, route } from "@/lib/server/route";

type Context<Name extends RouteName> = Omit<RouteContext<ParamsOf<Name>>, "query"> & {
  readonly query: z.output<Routes[Name]["query"]>;
  readonly body: z.output<Routes[Name]["body"]>;
};

/** Answers with JSON; a `Response` passes through. */
export function endpoint<Name extends RouteName>(
  name: Name,
  handle: (
    context: Context<Name>,
  ) => Promise<AnswerOf<Name> | Response> | AnswerOf<Name> | Response,
) {
  const { query: querySchema, body: bodySchema, status } = routes[name];
  return route<ParamsOf<Name>>(async (context) => {
    const query = queryOf(context.query, querySchema);
    const takesBody = bodySchema.type !== "undefined";
    const body = takesBody ? await bodyOf(context.request, bodySchema) : undefined;
    const answer = await handle({ ...context, query, body } as Context<Name>);
    return answer instanceof Response ? answer : Response.json(answer, { status });
  });
}

function queryOf(query: URLSearchParams, schema: z.ZodType): unknown {
  const parsed = schema.safeParse(Object.fromEntries(query));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new HttpError(400, "invalid-query", `“${field}” is invalid: ${issue?.message}.`, field);
}
