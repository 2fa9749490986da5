import { setTimeout as delay } from "node:timers/promises";
import type { SentBody } from "@/lab/drill/dialects/dialect";
import { startDialectServer } from "@/lab/drill/dialects/dialect-server";
import { dialectNamed } from "@/lab/drill/dialects/dialect-table";
import type { FakeAnswer } from "@/lab/drill/fake-wires";

export interface FakeModels {
  readonly baseUrl: string;
  /** Bodies of the calls, oldest first. */
  readonly requests: SentBody[];
  /** Rules of the format that they broke. */
  readonly problems: readonly string[];
  /** Waits between the words of an answer. */
  pauseMs: number;
  /** Answers wait for it. */
  held: Promise<void> | null;
  /** Says this instead. */
  answer: string | null;
  close(): Promise<void>;
}

/** Calls the first tool for a question, repeats a tool's result, and otherwise repeats the question. */
export async function startFakeModels(): Promise<FakeModels> {
  const models: Pick<FakeModels, "pauseMs" | "held" | "answer"> = {
    pauseMs: 0,
    held: null,
    answer: null,
  };
  const server = await startDialectServer();
  const { baseUrl, accepted, problems } = server.add({
    dialect: dialectNamed("Azure"),
    replies: [],
    models: ["echo"],
    usage: { input: 7, output: 3 },
    async *script(body, answer) {
      await models.held;
      for (const event of eventsFor(body, answer, models.answer)) {
        yield event;
        if (models.pauseMs > 0) await delay(models.pauseMs);
      }
    },
  });
  const close = () => server.close();
  return Object.assign(models, { baseUrl, requests: accepted, problems, close });
}

function eventsFor({ messages, tools }: SentBody, write: FakeAnswer, answer: string | null) {
  const last = messages.at(-1);
  const name = tools?.[0]?.function?.name;
  if (name !== undefined && last?.role === "user") {
    const call = { id: `call_${messages.length}`, name, input: '{"city":"Oslo"}' };
    return [write.call(call), write.finish("tool-calls")];
  }
  const said = typeof last?.content === "string" ? last.content : JSON.stringify(last?.content);
  const text = answer ?? `${last?.role === "tool" ? "It says" : "You said"}: ${said}`;
  return [...text.split(/(?<= )/).map((word) => write.text(word)), write.finish("stop")];
}
