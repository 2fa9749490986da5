import { endpoint } from "@/app/api/endpoint";
import { decideProposal } from "@/lib/chat/answering/decide-call";

export const POST = endpoint(
  "POST /api/proposals/:proposalId/accept",
  ({ answering, params, body }) =>
    decideProposal(answering, params.proposalId, { decision: "approve", ...body }),
);
