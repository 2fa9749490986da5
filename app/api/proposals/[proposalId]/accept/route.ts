import { endpoint } from "@/app/api/endpoint";
import { acceptProposal } from "@/lib/chat/memory/proposals";

export const POST = endpoint("POST /api/proposals/:proposalId/accept", ({ owner, params, body }) =>
  acceptProposal(owner, params.proposalId, body),
);
