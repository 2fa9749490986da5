import "@/lib/server/services";

import { ChatError } from "@/lib/chat/core/chat-error";
import { originOf, route } from "@/lib/server/route";

/** An authorization server leads here; other sites may not open `/api`. */
export const GET = route(async ({ owner, query, request }) => {
  const back = new URL(`${originOf(request)}/settings?section=tools`);
  try {
    const [code, state] = [query.get("code"), query.get("state")];
    if (!code || !state) throw new ChatError("server-failed", refusal(query.get("error")));
    await owner.toolServers.endSignIn({ code, state, iss: query.get("iss") ?? undefined });
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
    back.searchParams.set("problem", error.message);
  }
  return Response.redirect(back, 303);
});

function refusal(error: string | null): string {
  return error === "access_denied"
    ? "The sign-in was refused."
    : "The sign-in page sent no answer that Grove can use.";
}
