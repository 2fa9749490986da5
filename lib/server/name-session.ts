import type { RunRecord } from "@/lib/chat/answering/run-store";
import type { OwnerData } from "@/lib/chat/owner-data";
import { textCallUsage } from "@/lib/chat/usage/text-call-usage";
import { generateTitle, titleFromQuestion } from "@/lib/llm";
import { searchableText } from "@/lib/session";
import { logFailure } from "./log";
import type { Services } from "./services";

/** Gives a session without a title one, made from its first question and answer. Nobody waits for it. */
export async function nameSession(
  services: Services,
  { ownerId }: OwnerData,
  run: RunRecord,
): Promise<void> {
  const owner = services.owner(ownerId);
  try {
    const info = await owner.store.sessions.get(run.sessionId);
    if (info?.name !== "") return;
    const messages = owner.store.messages(run.sessionId);
    const [question, answer] = await Promise.all([
      messages.getMessage(run.parentId),
      messages.getMessage(run.messageId),
    ]);
    if (!question) return;
    const asked = searchableText(question);
    const title = await titleFor(services, {
      owner,
      run,
      asked,
      answered: answer ? searchableText(answer) : "",
    });
    await owner.store.sessions.update(run.sessionId, { name: title });
    services.tell(ownerId, { type: "session-changed", sessionId: run.sessionId });
  } catch (error) {
    logFailure("Naming a session", error);
  }
}

async function titleFor(
  services: Services,
  {
    owner,
    run,
    asked,
    answered,
  }: { owner: ReturnType<Services["owner"]>; run: RunRecord; asked: string; answered: string },
): Promise<string> {
  if (answered === "") return titleFromQuestion(asked);
  const resolved = await services.models.choose(owner, run.model);
  return generateTitle({
    model: resolved.model,
    question: asked,
    answer: answered,
    onCall: async (call) => {
      const taken = textCallUsage(call, resolved);
      const { id, sessionId } = run;
      if (taken) {
        await owner.usage.record({ id: `title ${id}`, kind: "title", sessionId, ...taken });
      }
    },
  });
}
