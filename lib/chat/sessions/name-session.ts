import { searchableText } from "grove-session/ports";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import type { SettingsStore } from "@/lib/chat/core/settings-store";
import { textCallUsage } from "@/lib/chat/runs/usage";
import type { Models } from "@/lib/chat/settings/models";
import { generateTitle, titleFromQuestion } from "@/lib/llm";

interface Naming {
  readonly owner: OwnerData & { readonly settings: SettingsStore };
  readonly models: Models;
  readonly run: RunRecord;
}

export async function nameSession(naming: Naming): Promise<boolean> {
  const { owner, run } = naming;
  const info = await owner.store.sessions.get(run.sessionId);
  if (info?.name !== "") return false;
  const messages = owner.store.messages(run.sessionId);
  const [question, answer] = await Promise.all([
    messages.getMessage(run.parentId),
    messages.getMessage(run.messageId),
  ]);
  if (!question) return false;
  const name = await titleFor(naming, {
    question: searchableText(question),
    answer: answer ? searchableText(answer) : "",
  });
  await owner.store.sessions.update(run.sessionId, { name });
  return true;
}

async function titleFor(
  { owner, models, run }: Naming,
  { question, answer }: { question: string; answer: string },
): Promise<string> {
  if (answer === "") return titleFromQuestion(question);
  const resolved = await models.choose(owner, run.model);
  const { id, sessionId } = run;
  return generateTitle({
    model: resolved.model,
    question,
    answer,
    onCall: async (call) => {
      const used = textCallUsage(call, resolved);
      if (used) await owner.usage.record({ id: `title ${id}`, kind: "title", sessionId, ...used });
    },
  });
}
