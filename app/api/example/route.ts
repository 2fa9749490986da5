import { exampleModel } from "@/lib/chat/data/example/conversation";
import { makeExample } from "@/lib/chat/data/example/make-example";
import { sessionWire } from "@/lib/chat/sessions/transcript";
import { route } from "@/lib/server/route";

export const POST = route(async ({ owner, answering }) => {
  const { info: model } = await answering.chooseModel(exampleModel);
  const info = await makeExample(owner, model);
  return Response.json(sessionWire(info, { writing: false }), { status: 201 });
});
