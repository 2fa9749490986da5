import { readProposal } from "@/lib/chat/memory/proposals";
import { route } from "@/lib/server/route";

export const GET = route<{ proposalId: string }>(async ({ owner, params }) =>
  Response.json(await readProposal(owner, params.proposalId)),
);
