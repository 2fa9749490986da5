import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Sql } from "postgres";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
  textIn,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { languageModel } from "@/lib/llm/protocols";

import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { type FakeAnswer, type FakeWire, fakeWires } from "./fake-wires";

/** As a socket delivers them. */
const bytesAtOnce = 64 * 1024;
const fullSize = 1_000_000;

interface HeavyAnswer {
  readonly name: string;
  /** Repeated, for a question of up to 200,000 characters. */
  readonly asks?: string;
  /** Up to about `size` characters. */
  write(answer: FakeAnswer, size: number): Generator<string>;
}

const answers: readonly HeavyAnswer[] = [
  {
    name: "text, character by character",
    *write(answer, size) {
      for (let n = 0; n < size; n++) yield answer.text("x");
    },
  },
  {
    name: "reasoning, character by character",
    *write(answer, size) {
      for (let n = 0; n < size / 250; n++) yield answer.reasoning("hm");
      yield answer.text("Done.");
    },
  },
  {
    name: "10,000 tool calls",
    *write(answer, size) {
      const call = { name: "search_context", input: '{"label":"knowledge","query":"tree"}' };
      for (let n = 0; n < size / 100; n++) yield answer.call({ id: `c${n}`, ...call });
    },
  },
  {
    name: "tool calls with large inputs",
    *write(answer, size) {
      const input = JSON.stringify({ query: "x".repeat(size / 20) });
      for (let n = 0; n < 18; n++)
        yield answer.call({ id: `c${n}`, name: "search_context", input });
    },
  },
  {
    name: "one text in one event",
    *write(answer, size) {
      yield answer.text("# Title\n\n`x` ".repeat(size / 13));
    },
  },
  {
    name: "a long question",
    asks: "森林の中の川が流れる",
    *write(answer) {
      yield answer.text("Done.");
    },
  },
];

const longestQuestion = 200_000;

export const heavyAnswers: Drill = {
  name: "heavy-answers",
  promise: "No answer holds the server for longer than 50 ms.",
  unit: "answers",
  fullCount: answers.length * fakeWires.length,
  run: (options) =>
    onDrillDatabase(({ patientSql: sql }) =>
      writeHeavy(sql, options, { size: fullSize, longestTurnMs: 50 }),
    ),
};

/** Answers of up to `size` characters, each read by a viewer. */
export async function writeHeavy(
  sql: Sql,
  { count, signal, say }: DrillOptions,
  { size, longestTurnMs }: { size: number; longestTurnMs: number | null },
): Promise<DrillResult> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  // tsx switches them on, and the first error reads the SDK's: 200 ms that a built app does not have.
  process.setSourceMapsEnabled(false);
  const broken: string[] = [];
  let longest = 0;
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  for (let n = 0; n < count && !signal.aborted; n++) {
    const heavyAnswer = answers[n % answers.length];
    const wire = fakeWires[Math.floor(n / answers.length) % fakeWires.length];
    if (!heavyAnswer || !wire) continue;
    const { problem, turnMs } = await writeOne(sql, { wire, heavyAnswer, size });
    longest = Math.max(longest, turnMs);
    const place = `${heavyAnswer.name}, ${wire.name}`;
    say(`${place}: ${turnMs.toFixed(0)} ms`);
    if (problem) broken.push(`${place}: ${problem}`);
    if (longestTurnMs !== null && turnMs > longestTurnMs)
      broken.push(`${place} held the server for ${turnMs.toFixed(0)} ms.`);
  }
  delays.disable();
  return {
    broken,
    figures: { "longest turn (CPU ms)": longest, "longest delay (ms)": delays.max / 1e6 },
  };
}

async function writeOne(
  sql: Sql,
  { wire, heavyAnswer, size }: { wire: FakeWire; heavyAnswer: HeavyAnswer; size: number },
): Promise<{ problem: string | null; turnMs: number }> {
  const chats = chatProcess();
  const { model } = modelOf(wire, (answer) => heavyAnswer.write(answer, size));
  const conversation = new Conversation(newOwner(sql), chats, resolvedModel(model));
  const stopwatch = new TurnStopwatch();
  const { asks } = heavyAnswer;
  const question = asks?.repeat(Math.min(longestQuestion, size) / asks.length) ?? "Question";
  const { run } = await conversation.send(question);
  if (!run) throw new Error("No answer began.");
  const [chunks] = await Promise.all([conversation.watch(run.id), chats.ended(run.id)]);
  const turnMs = stopwatch.stop();
  const stored = await conversation.message(run.messageId);
  const isSame = textOf(stored) === textIn(chunks);
  const problems = isSame ? chats.failures : ["The viewer read another text than is stored."];
  return { problem: problems.length === 0 ? null : problems.map(String).join(" "), turnMs };
}

function modelOf(wire: FakeWire, write: (answer: FakeAnswer) => Iterable<string>) {
  let calls = 0;
  const fetch = async () => {
    const answer = wire.answer();
    const isFirst = calls++ === 0;
    const events = isFirst ? write(answer) : [answer.text("Done.")];
    return new Response(bodyOf(answer, events));
  };
  const connection = { id: "drill", label: "Drill", apiKey: "sk-drill-0123456789", models: null };
  const provider = { ...connection, baseUrl: "http://drill.test/v1", ...wire.provider };
  return { model: languageModel(provider, "m", { fetch }) };
}

function bodyOf(
  answer: FakeAnswer,
  events: Iterable<string>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const left = events[Symbol.iterator]();
  const encoder = new TextEncoder();
  let isOver = false;
  let text = answer.begin();
  return new ReadableStream({
    async pull(controller) {
      await setImmediate();
      while (!isOver && text.length < bytesAtOnce) {
        const next = left.next();
        isOver = next.done === true;
        text += next.done ? answer.finish("stop") : next.value;
      }
      controller.enqueue(encoder.encode(text.slice(0, bytesAtOnce)));
      text = text.slice(bytesAtOnce);
      if (isOver && text === "") controller.close();
    },
  });
}

const tickMs = 5;

/** The most processor time between two ticks of a timer, which other programs of the machine do not change. */
class TurnStopwatch {
  #longestMs = 0;
  #last = process.threadCpuUsage();
  readonly #timer = setInterval(() => this.#tick(), tickMs);

  /** @returns milliseconds. */
  stop(): number {
    clearInterval(this.#timer);
    return this.#longestMs;
  }

  #tick(): void {
    const { user, system } = process.threadCpuUsage(this.#last);
    this.#last = process.threadCpuUsage();
    this.#longestMs = Math.max(this.#longestMs, (user + system) / 1_000);
  }
}
