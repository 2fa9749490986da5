import { setTimeout as delay } from "node:timers/promises";
import type { Refused, SentBody } from "@/lab/drill/dialects/dialect";
import { startDialectServer } from "@/lab/drill/dialects/dialect-server";
import { dialectNamed } from "@/lab/drill/dialects/dialect-table";
import type { FakeAnswer } from "@/lib/llm/testing/fake-wires";

export interface FakeModels {
  readonly baseUrl: string;
  readonly requests: SentBody[];
  /** Rules of the format that the requests broke. */
  readonly problems: readonly string[];
  pauseMs: number;
  held: Promise<void> | null;
  answer: string | null;
  /** A thought before each answer. */
  thought: string | null;
  /** The end of each answer without a call. */
  end: "stop" | "length";
  /** Arguments of the next calls. */
  call: string;
  /** Why the server refuses a request; `null` for one it takes. */
  refuse: (body: SentBody) => string | null;
  /** The status of such a refusal. */
  refusalStatus: number;
  close(): Promise<void>;
}

/** Calls the first tool for a question, repeats a tool's result, and otherwise repeats the question. */
export async function startFakeModels(): Promise<FakeModels> {
  const models: Omit<FakeModels, "baseUrl" | "requests" | "problems" | "close"> = {
    pauseMs: 0,
    held: null,
    answer: null,
    thought: null,
    end: "stop",
    call: weatherCall,
    refuse: () => null,
    refusalStatus: 400,
  };
  const azure = dialectNamed("Azure");
  const refuse = (body: SentBody): Refused | null => {
    const message = models.refuse(body);
    return message === null ? null : { status: models.refusalStatus, message, isAskedAgain: true };
  };
  const server = await startDialectServer();
  const { baseUrl, accepted, problems } = server.add({
    dialect: { ...azure, requires: [...(azure.requires ?? []), refuse] },
    replies: [],
    models: ["echo"],
    usage: { input: 7, output: 3 },
    async *script(body, answer) {
      await models.held;
      for (const event of eventsFor(body, answer, models)) {
        yield event;
        if (models.pauseMs > 0) await delay(models.pauseMs);
      }
    },
  });
  const close = () => server.close();
  return Object.assign(models, { baseUrl, requests: accepted, problems, close });
}

export const weatherCall = '{"city":"Oslo"}';

function eventsFor(
  { messages, tools }: SentBody,
  write: FakeAnswer,
  { answer, thought, end, call: input }: Pick<FakeModels, "answer" | "thought" | "end" | "call">,
) {
  const thoughts = thought === null ? [] : [write.reasoning(thought)];
  const last = messages.at(-1);
  const name = tools?.[0]?.function?.name;
  if (name !== undefined && last?.role === "user") {
    const call = { id: `call_${messages.length}`, name, input };
    return [...thoughts, write.call(call), write.finish("tool-calls")];
  }
  const said = typeof last?.content === "string" ? last.content : JSON.stringify(last?.content);
  const text = answer ?? `${last?.role === "tool" ? "It says" : "You said"}: ${said}`;
  const words = text.split(/(?<= )/).map((word) => write.text(word));
  return [...thoughts, ...words, write.finish(end)];
}
