import "server-only";
import type { z } from "zod";
import { AccountError } from "@/lib/accounts/account-error";
import type { Answering } from "@/lib/chat/answering/send-message";
import { cleanText } from "@/lib/chat/core/clean-text";
import { inOwnSpace, isOwnSpace, placeOf } from "@/lib/chat/core/person-in-space";
import { refusalOfKept } from "@/lib/chat/sessions/temporary-chat";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import { membershipKey } from "@/lib/storage/spaces/postgres-projects";
import { accessTo, type Need, type SpaceAccess, spaceHeader } from "./access";
import { factsOf, guard, ownSite } from "./guard";
import { errorResponse, HttpError } from "./http-error";
import { refusalOfMoved } from "./moved-chats";
import type { Identity } from "./owner-of";
import type { OwnerServices } from "./owner-services";
import { limitUse } from "./rate-limits";
import { readJsonBody } from "./read-json-body";
import { refusalLog } from "./refusal-log";
import { type Services, services } from "./services";
import { answerTo, heldBySignal } from "./viewer";

export interface RouteContext<Params> {
  readonly request: Request;
  readonly params: Params;
  readonly query: URLSearchParams;
  readonly services: Services;
  readonly identity: Identity;
  readonly owner: OwnerServices;
  readonly answering: Answering;
}

type Handler<Params> = (context: RouteContext<Params>) => Promise<Response> | Response;

export type OpenContext<Params> = Pick<
  RouteContext<Params>,
  "request" | "params" | "query" | "services"
>;

type OpenHandler<Params> = (context: OpenContext<Params>) => Promise<Response> | Response;

export type NextHandler<Params> = (
  request: Request,
  context: { params: Promise<Params> },
) => Promise<Response>;

/** @param need of the space that the address names. Default: the person's own. */
export function route<Params = Record<string, never>>(
  handler: Handler<Params>,
  need: Need = "person",
): NextHandler<Params> {
  return openRoute<Params>(async (context) => {
    const { request, params, query, services: shared } = context;
    const identity = await shared.identify(request.headers);
    if (!identity) throw new AccountError("signed-out", "You are signed out. Sign in again.");
    assertSameAccount(request, identity);
    assertNotRemoved(request, identity);
    if (identity.person) limitUse(shared.counts, identity.person.userId, request);
    const space = request.headers.get(spaceHeader);
    const access =
      space === null ? ownAccess(identity) : await accessTo(shared, identity, { space, need });
    const own = inProject(access, await shared.ownerOf(access));
    const names = { ...params, session: query.get("session") };
    const owner = ownerFor(own, names);
    const answering: Answering = {
      owner,
      runner: shared.runner,
      chooseModel: (ref) =>
        shared.models.choose(owner, ref, { ofProject: access.project?.defaultModel ?? null }),
    };
    const temporaryId = temporaryIdIn(names);
    try {
      return await shared.requestOrigin.serve(request, async () =>
        handler({ ...context, identity, owner, answering }),
      );
    } catch (error) {
      if (temporaryId !== null) throw await refusalOfKept(own, temporaryId, error);
      throw await refusalOfMoved(shared, identity, { ...own, ...chatIn(names) }, error);
    }
  });
}

function ownAccess({ personId }: Identity): SpaceAccess {
  return { ...inOwnSpace(personId), project: null };
}

function inProject({ project }: SpaceAccess, owner: OwnerServices): OwnerServices {
  if (!project || !owner.personal) return owner;
  const { defaultAssistant, personalMemory: isOn } = project;
  return { ...owner, defaultAssistant, personal: { ...owner.personal, isOn } };
}

export function openRoute<Params = Record<string, never>>(
  handler: OpenHandler<Params>,
): NextHandler<Params> {
  return async (request, context) => {
    try {
      heldBySignal(request);
      const decision = guard(factsOf(request), ownSite());
      if (decision !== "allow") {
        refusalLog.note(decision);
        throw new HttpError(decision.status, decision.code, decision.message);
      }
      const shared = services();
      const query = new URL(request.url).searchParams;
      const params = await context.params;
      const response = await handler({ request, params, query, services: shared });
      return await answerTo(request, response);
    } catch (error) {
      if (request.signal.aborted) return new Response(null, { status: 499 });
      return errorResponse(error, request);
    }
  };
}

/** A page left open must not send or read for the next person who signs in. */
function assertSameAccount(request: Request, { personId, person }: Identity): void {
  const meant = request.headers.get(ownerHeader) ?? new URL(request.url).searchParams.get("owner");
  if (person === null || meant === null || meant === personId) return;
  throw new AccountError(
    "other-account",
    "Somebody else is signed in at this browser now. Nothing was sent. Reload the page.",
  );
}

const takingAlong = /^((GET|DELETE) \/api\/account|GET \/api\/(export|projects))$/;

function assertNotRemoved(request: Request, { person }: Identity): void {
  if (!person?.deletesAt) return;
  if (takingAlong.test(`${request.method} ${new URL(request.url).pathname}`)) return;
  throw new AccountError(
    "account-removed",
    "An administrator of this Grove removed your account. You can download everything, and nothing else.",
  );
}

/** Signals that end what is streamed to a person who is signed out, or no member any more. */
export function leavingOf({
  services,
  identity: { person },
  owner,
}: Pick<RouteContext<unknown>, "services" | "identity" | "owner">): AbortSignal[] {
  const { devices, members } = services;
  const device = person ? [devices.signalOf(person.sessionId)] : [];
  const place = { personId: owner.personId, spaceId: placeOf(owner.spaceId) };
  return isOwnSpace(place) ? device : [...device, members.signalOf(membershipKey(place))];
}

/** Browsers use this address: never from a header, if `GROVE_ORIGIN` names it. */
export function originOf(request: Request): string {
  return ownSite().origin ?? `http://${request.headers.get("host") ?? ""}`;
}

const ownerHeader = "x-grove-owner";

export function ownerFor(owner: OwnerServices, names: Record<string, unknown>): OwnerServices {
  return temporaryIdIn(names) === null ? owner : owner.temporaryChats;
}

function chatIn({ sessionId, session }: Record<string, unknown>): { sessionId: unknown } {
  return { sessionId: sessionId ?? session };
}

function temporaryIdIn({ sessionId, session }: Record<string, unknown>): string | null {
  for (const id of [sessionId, session]) if (typeof id === "string" && isTemporaryId(id)) return id;
  return null;
}

/** No store and no model takes U+0000 or a lone surrogate. */
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
