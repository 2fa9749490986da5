import "@/lib/server/services";

import "server-only";
import type { z } from "zod";
import {
  type AnswerOf,
  type ParamsOf,
  type RouteName,
  type Routes,
  routes,
} from "@/app/_api/routes";
import { type Making, makingOnce } from "@/lib/chat/core/making";
import { isOwnSpace, isTemporarySpace } from "@/lib/chat/core/person-in-space";
import type { Need } from "@/lib/server/access";
import { HttpError } from "@/lib/server/http-error";
import { assertAdministers, type Identity } from "@/lib/server/owner-of";
import { answerOnce, requestNameIn } from "@/lib/server/repeated-requests";
import { bodyOf, type OpenContext, openRoute, type RouteContext, route } from "@/lib/server/route";

interface Parsed<Name extends RouteName> {
  readonly query: z.output<Routes[Name]["query"]>;
  readonly body: z.output<Routes[Name]["body"]>;
}

type Context<Name extends RouteName> = Omit<RouteContext<ParamsOf<Name>>, "query"> &
  Parsed<Name> & { readonly making: Making };
type OpenRequest<Name extends RouteName> = Omit<OpenContext<ParamsOf<Name>>, "query"> &
  Parsed<Name>;
type EndpointAnswer<Name extends RouteName> =
  | Promise<AnswerOf<Name> | Response>
  | AnswerOf<Name>
  | Response;

/** A `Response` passes through. Any POST with a name may come again. */
export function endpoint<Name extends RouteName>(
  name: Name,
  handle: (context: Context<Name>) => EndpointAnswer<Name>,
  assertMay: (identity: Identity) => void = () => undefined,
) {
  return route<ParamsOf<Name>>(async (context) => {
    // A replayed answer needs the same rights.
    assertMay(context.identity);
    const given = await parsed(name, context);
    const answer = async (making: Making) =>
      answered<Name>(name, await handle({ ...context, ...given, making }));
    const { owner, params, request } = context;
    const requestName = needsNoMemory(name) ? null : requestNameIn(request.headers);
    if (requestName === null) return answer(makingOnce());
    const { signal } = request;
    const memory = { requests: owner.requests, secrets: context.services.secrets };
    const inProject = isOwnSpace(owner) ? [] : [owner.spaceId];
    const content = [name, params, given, ...inProject];
    // No text of a temporary chat is kept elsewhere.
    const keepsAnswer = !isTemporarySpace(owner.spaceId);
    const repeatable = { caller: "page", name: requestName, content, keepsAnswer, signal };
    return answerOnce(memory, repeatable, answer);
  }, needOf(name));
}

const ofPerson =
  /^\w+ \/api\/(about|account|backups|example|health|keys|models|ollama|people|projects|prompts|settings|tools|usage)\b|\/keep$/;
const ofOwners = /^\w+ \/api\/(export|import)\b|^(DELETE|POST) \/api\/data\b/;
const ofWriters = /^GET \/api\/(deletions|shares)\b/;

/** Content is all that is not the person's own. */
export function needOf(name: RouteName): Need {
  if (ofPerson.test(name)) return "person";
  if (ofOwners.test(name)) return "owns";
  return name.startsWith("GET ") && !ofWriters.test(name) ? "reads" : "writes";
}

function needsNoMemory(name: RouteName): boolean {
  return !name.startsWith("POST ") || routes[name].repeats;
}

/**
 * Serves people who administer Grove, who cannot read chats of others.
 *
 * @throws {AccountError} `not-allowed`.
 */
export function adminEndpoint<Name extends RouteName>(
  name: Name,
  handle: (context: Context<Name>) => EndpointAnswer<Name>,
) {
  return endpoint(name, handle, assertAdministers);
}

export function openEndpoint<Name extends RouteName>(
  name: Name,
  handle: (context: OpenRequest<Name>) => EndpointAnswer<Name>,
) {
  return openRoute<ParamsOf<Name>>(async (context) =>
    answered<Name>(name, await handle({ ...context, ...(await parsed(name, context)) })),
  );
}

async function parsed<Name extends RouteName>(
  name: Name,
  { request, query }: { request: Request; query: URLSearchParams },
): Promise<Parsed<Name>> {
  const { query: querySchema, body: bodySchema } = routes[name];
  const takesBody = bodySchema.type !== "undefined";
  const readQuery = queryOf(query, querySchema);
  const body = takesBody ? await bodyOf(request, bodySchema) : undefined;
  return { query: readQuery, body } as Parsed<Name>;
}

function answered<Name extends RouteName>(name: Name, answer: AnswerOf<Name> | Response): Response {
  if (answer instanceof Response) return answer;
  return Response.json(answer, { status: routes[name].status });
}

function queryOf(query: URLSearchParams, schema: z.ZodType): unknown {
  const parsed = schema.safeParse(Object.fromEntries(query));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new HttpError(400, "invalid-query", `“${field}” is invalid: ${issue?.message}.`, field);
}
