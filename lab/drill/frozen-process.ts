import { setTimeout as delay } from "node:timers/promises";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { openConnections } from "@/lib/server/database-connections";
import { numberedAnswer } from "./answer-viewer";

// A process to freeze: writes an answer for each id, prints "begun" once all have a word, and ends with the last one.
const [databaseUrl = "", ownerId = "", ids = "", words = "", pauseMs = ""] = process.argv.slice(2);
const { pace } = numberedAnswer({ words: Number(words), pauseMs: Number(pauseMs) });
const { sql } = openConnections(databaseUrl);

async function* written(): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: "text-start", id: "text" };
  for (let n = 0; n < pace.words; n++) {
    await delay(pace.pauseMs);
    yield { type: "text-delta", id: "text", delta: pace.word(n) };
  }
  yield { type: "text-end", id: "text" };
  yield {
    type: "finish",
    finishReason: { unified: "stop", raw: "stop" },
    usage: {
      inputTokens: { total: 1_000, noCache: 1_000, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 500, text: 500, reasoning: 0 },
    },
  };
}

const model = new MockLanguageModelV4({
  doStream: async () => {
    const parts = written();
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return { stream };
  },
});
const chats = chatProcess({ maxRunning: 50 });
const owner = newOwner(sql, ownerId);
const begun = ids.split(" ").map(async (answerId) => {
  const conversation = new Conversation(owner, chats, resolvedModel(model));
  await conversation.send("Question", { answerId });
  await conversation.readsUpTo(answerId, "text-delta");
});
await Promise.all(begun);
process.stdout.write("begun\n");
await chats.runner.live.emptied();
for (const failure of chats.failures) process.stderr.write(`${String(failure)}\n`);
process.exit(0);
