import { estimateMessageTokens, type SessionInfo, type StoredMessage } from "grove-session";
import { answerReceipt, type StoredReceipt } from "@/lib/chat/answering/answer-receipt";
import { offeredTools } from "@/lib/chat/answering/offered-tools";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { leaseMs } from "@/lib/chat/runs/lease";
import { blocksOf } from "@/lib/chat/sessions/blocks";
import { modelInput } from "@/lib/chat/sessions/model-input";
import { openInPassing } from "@/lib/chat/sessions/open-session";
import { memoryModeOf } from "@/lib/chat/sessions/transcript";
import type { ModelInfo } from "@/lib/llm";
import { exampleConversation } from "./conversation";

const noLimit = { maxRunning: 1_000 };

export async function keepReceipts(
  owner: OwnerData,
  info: SessionInfo,
  model: ModelInfo,
): Promise<void> {
  const blocks = (await blocksOf(owner, info.id)).filter(({ scope }) => scope === "session");
  const session = openInPassing(owner, info.id, blocks);
  const { prompt, versions } = await session.memory.freezeVersionedPrompt();
  const memoryMode = memoryModeOf(info);
  const resolved = { info: model };
  const { tools } = await offeredTools({ owner, session, resolved, memoryMode });
  for (const { id, parentId, role } of await owner.store.messages(info.id).getTree()) {
    const answer = exampleConversation.find((message) => message.id === id);
    if (role !== "assistant" || parentId === null || !answer) continue;
    const history = await session.getModelHistory(parentId);
    const receipt = await answerReceipt(
      { model: model.ref, leafId: parentId },
      {
        instructions: prompt,
        ...modelInput(history as StoredMessage[], { sentInFull: undefined }),
        tools,
        chosen: new Map(),
        versions,
        labels: session.memory.labelsById,
        skills: [],
        gatheredAt: new Date(),
      },
    );
    const run = { id, sessionId: info.id, messageId: id, parentId, model: model.ref };
    await owner.runs.start(run, leaseMs, noLimit);
    await owner.runs.finish(id, "complete", {
      receipt: finished(receipt, estimateMessageTokens([answer])),
    });
  }
  await owner.runs.markRead(info.id);
}

function finished(receipt: StoredReceipt, outputTokens: number): StoredReceipt {
  const { prompt, messages, tools } = receipt.tokens;
  return {
    ...receipt,
    usage: { inputTokens: prompt + messages + tools, outputTokens },
    cost: 0,
    finishedAt: receipt.startedAt,
  };
}
