import { declineProposal } from "@/lib/chat/memory/proposals";
import { route } from "@/lib/server/route";

export const POST = route<{ proposalId: string }>(async ({ owner, params }) => {
  return Response.json(await declineProposal(owner, params.proposalId));
});
