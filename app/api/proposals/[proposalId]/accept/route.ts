import { acceptProposal } from "@/lib/chat/memory/proposals";
import { acceptProposalRequest } from "@/lib/chat/wire/memory";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ proposalId: string }>(async ({ owner, params, request, services }) => {
  const body = await bodyOf(request, acceptProposalRequest);
  const proposal = await acceptProposal(owner, params.proposalId, body);
  const { label, sessionId } = proposal;
  services.tell(owner.ownerId, { type: "memory-changed", label, sessionId });
  return Response.json(proposal);
});
