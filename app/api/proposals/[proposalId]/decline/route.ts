import { declineProposal } from "@/lib/chat/memory/proposals";
import { route } from "@/lib/server/route";

export const POST = route<{ proposalId: string }>(async ({ owner, params, services }) => {
  const proposal = await declineProposal(owner, params.proposalId);
  services.tell(owner.ownerId, { type: "proposals-changed", sessionId: proposal.sessionId });
  return Response.json(proposal);
});
