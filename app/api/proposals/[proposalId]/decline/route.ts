import { endpoint } from "@/app/api/endpoint";
import { declineProposal } from "@/lib/chat/memory/proposals";

export const POST = endpoint("POST /api/proposals/:proposalId/decline", ({ owner, params }) =>
  declineProposal(owner, params.proposalId),
);
