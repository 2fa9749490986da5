import { exampleModel } from "@/lib/chat/data/example/conversation";
import { makeExample } from "@/lib/chat/data/example/make-example";
import { sessionWire } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const POST = route(async ({ owner, services, answering }) => {
  const { info: model } = await answering.chooseModel(exampleModel);
  const info = await makeExample(owner, model);
  services.tell(owner.ownerId, { type: "session-changed", sessionId: info.id });
  return Response.json(sessionWire(info, { writing: false }), { status: 201 });
});
