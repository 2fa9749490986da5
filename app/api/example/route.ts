import { endpoint } from "@/app/api/endpoint";
import { exampleModel } from "@/lib/chat/data/example/conversation";
import { makeExample } from "@/lib/chat/data/example/make-example";
import { sessionWire } from "@/lib/chat/sessions/transcript";

export const POST = endpoint("POST /api/example", async ({ owner, answering }) => {
  const { info: model } = await answering.chooseModel(exampleModel);
  return sessionWire(await makeExample(owner, model));
});
