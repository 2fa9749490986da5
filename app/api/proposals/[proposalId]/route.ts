import { endpoint } from "@/app/api/endpoint";
import { readProposal } from "@/lib/chat/memory/proposals";

export const GET = endpoint("GET /api/proposals/:proposalId", ({ owner, params }) =>
  readProposal(owner, params.proposalId),
);
