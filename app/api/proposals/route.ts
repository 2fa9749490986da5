import { endpoint } from "@/app/api/endpoint";
import { listProposals, propose } from "@/lib/chat/memory/proposals";

export const GET = endpoint("GET /api/proposals", async ({ owner, query }) => ({
  proposals: await listProposals(owner, { sessionId: query.session, status: query.status }),
}));

export const POST = endpoint("POST /api/proposals", ({ owner, body }) => propose(owner, body));
