import "server-only";
import type { z } from "zod";
import { assertConfirmed } from "@/lib/accounts/confirmation";
import type { ConnectedApps } from "@/lib/accounts/connected-apps";
import { changeKey, createAppKey, revokeKey, scopesOf } from "@/lib/chat/programs/keys";
import type { connectAppRequest } from "@/lib/chat/wire/keys";
import { accessTo } from "./access";
import { accountsOf, limitAttempts } from "./account-requests";
import { factsOf, guardOrigin, ownSite } from "./guard";
import { errorResponse, HttpError } from "./http-error";
import { noSuchDoor } from "./no-such-door";
import type { OwnerServices } from "./owner-services";
import { parseJsonBody, readBody } from "./read-json-body";
import type { RouteContext } from "./route";
import { services } from "./services";
import { answerTo } from "./viewer";

/** Programs send no cookie and have no key yet. Errors use the words of RFC 6749. */
export function appRoute(answer: (apps: ConnectedApps, request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    try {
      const decision = guardOrigin(factsOf(request), ownSite());
      if (decision !== "allow") {
        throw new HttpError(decision.status, decision.code, decision.message);
      }
      const shared = services();
      const closed = shared.accounts ? null : noSuchDoor("/token");
      if (closed) return closed;
      limitAttempts(request, null);
      await shared.ready();
      return await answerTo(request, await answer(accountsOf(shared).apps, request));
    } catch (error) {
      if (request.signal.aborted) return new Response(null, { status: 499 });
      return errorResponse(error, request);
    }
  };
}

const limitBytes = 50_000;

export async function formOf(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await bytesOf(request)));
}

export async function jsonOf(request: Request): Promise<unknown> {
  const body = parseJsonBody(await bytesOf(request));
  return body.ok ? body.value : null;
}

async function bytesOf(request: Request): Promise<Uint8Array> {
  const body = await readBody(request, { limitBytes });
  if (!body.ok) throw new HttpError(body.status, body.code, body.message);
  return body.bytes;
}

export async function placeOfApp(
  { keys }: Pick<OwnerServices, "keys">,
  keyId: string,
): Promise<string | null> {
  const key = await keys.get(keyId);
  return key && scopesOf(key).space;
}

/** @returns the address that takes the browser back to the app. */
export async function connectApp(
  { services: shared, identity, owner, request }: Connecting,
  { query, mcp, space }: z.output<typeof connectAppRequest>,
  newId: string,
): Promise<string> {
  const { apps } = accountsOf(shared);
  const { person } = identity;
  const clientId = new URLSearchParams(query).get("client_id") ?? "";
  const app = await apps.app(clientId);
  if (!person || !app) throw new HttpError(404, "no-app", "This app is unknown. Connect it again.");
  const decide = async (keyId: string | null) => {
    const page = await apps.decide({ query, scopes: mcp, keyId }, request.headers);
    if (page !== null) return page;
    const message = "This request of an app is too old, or was changed. Connect the app again.";
    throw new HttpError(400, "app-request-changed", message);
  };
  if (mcp.length === 0) return decide(null);
  assertConfirmed(person);
  const known = await apps.keyOf(person.userId, clientId);
  if (known !== null && (await placeOfApp(owner, known)) !== space) {
    const message =
      "This app has another place already. Revoke it in Settings, API keys, and connect it again.";
    throw new HttpError(409, "app-has-place", message);
  }
  if (space) await accessTo(shared, identity, { space, need: "writes" });
  const keyId = known ?? newId;
  if (!known) await createAppKey(owner, { id: keyId, name: app.name, mcp, space });
  try {
    const page = await decide(keyId);
    if (known) await changeKey(owner, keyId, { mcp });
    return page;
  } catch (error) {
    if (!known) await revokeKey(owner, keyId);
    throw error;
  }
}

type Connecting = Pick<RouteContext<unknown>, "services" | "identity" | "owner" | "request">;
