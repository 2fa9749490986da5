import { listProposals } from "@/lib/chat/memory/proposals";
import { HttpError } from "@/lib/server/http-error";
import { route, textIn } from "@/lib/server/route";
import { isProposalStatus } from "@/lib/session";

export const GET = route(async ({ owner, query }) => {
  const status = textIn(query, "status");
  if (status !== undefined && !isProposalStatus(status)) {
    const message = "“status” must be open, accepted or declined.";
    throw new HttpError(400, "invalid-query", message, "status");
  }
  const sessionId = textIn(query, "session");
  return Response.json({ proposals: await listProposals(owner, { sessionId, status }) });
});
