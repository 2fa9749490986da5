import { endpoint } from "@/app/api/endpoint";
import { decideProposal } from "@/lib/chat/answering/decide-call";

export const POST = endpoint("POST /api/proposals/:proposalId/decline", ({ answering, params }) =>
  decideProposal(answering, params.proposalId, { decision: "deny" }),
);
