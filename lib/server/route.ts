import "server-only";
import type { z } from "zod";
import type { Answering } from "@/lib/chat/answering/send-message";
import { cleanText } from "@/lib/chat/clean-text";
import { factsOf, guard, ownPort } from "./guard";
import { errorResponse, HttpError } from "./http-error";
import type { OwnerServices } from "./owner-services";
import { readJsonBody } from "./read-json-body";
import { type Services, services } from "./services";
import { answerTo } from "./viewer";

export interface RouteContext<Params> {
  readonly request: Request;
  readonly params: Params;
  readonly query: URLSearchParams;
  readonly services: Services;
  readonly owner: OwnerServices;
  readonly answering: Answering;
}

type Handler<Params> = (context: RouteContext<Params>) => Promise<Response> | Response;

/** Refuses other origins, waits for the database, finds the owner, and maps errors to responses. */
export function route<Params = Record<string, never>>(handler: Handler<Params>) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    try {
      const decision = guard(factsOf(request), { port: ownPort() });
      if (decision !== "allow")
        throw new HttpError(decision.status, decision.code, decision.message);
      const shared = services();
      const owner = await shared.ownerOf(request.headers);
      const answering: Answering = {
        owner,
        runner: shared.runner,
        chooseModel: (ref) => shared.models.choose(owner, ref),
      };
      const query = new URL(request.url).searchParams;
      const params = await context.params;
      const response = await shared.requestOrigin.serve(request, () =>
        handler({ request, params, query, services: shared, owner, answering }),
      );
      return await answerTo(request, response);
    } catch (error) {
      // Nobody reads the answer.
      if (request.signal.aborted) return new Response(null, { status: 499 });
      return errorResponse(error);
    }
  };
}

/**
 * Cleans texts: no store and no model takes U+0000 or a lone surrogate.
 *
 * @throws {HttpError} 400 naming the field, 408, 413.
 */
export async function bodyOf<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = await readJsonBody(request);
  if (!body.ok) throw new HttpError(body.status, body.code, body.message);
  const parsed = schema.safeParse(cleanText(body.value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") ?? "";
  const message =
    field === ""
      ? `The body is invalid: ${issue?.message}.`
      : `“${field}” is invalid: ${issue?.message}.`;
  throw new HttpError(400, "invalid-body", message, field);
}
