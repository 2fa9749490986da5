import { acceptProposal } from "@/lib/chat/memory/proposals";
import { acceptProposalRequest } from "@/lib/chat/wire/memory";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ proposalId: string }>(async ({ owner, params, request }) => {
  const body = await bodyOf(request, acceptProposalRequest);
  return Response.json(await acceptProposal(owner, params.proposalId, body));
});
