import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
  textIn,
  textOf,
} from "@/lib/chat/testing/chat-fixture";
import { languageModel } from "@/lib/llm/protocols";
import { type FakeAnswer, type FakeWire, fakeWires } from "@/lib/llm/testing/fake-wires";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { depth } from "@/lib/text/testing/try-seeds";

/** Size in which a socket delivers bytes. */
const bytesAtOnce = 64 * 1024;
const fullSize = 1_000_000;
const size = Math.min(fullSize, 2_000 * depth);
const longestTurnMs = 50;

interface HeavyAnswer {
  readonly name: string;
  /** Text that is repeated for a question of up to 200,000 characters. */
  readonly asks?: string;
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

let database: TestDatabase;

beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  // tsx switches them on, and the first error reads the SDK's: 200 ms that a built app does not have.
  process.setSourceMapsEnabled(false);
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** All formats only at a depth. */
const wires = depth > 1 ? fakeWires : fakeWires.slice(0, 2);

describe.each(wires)("an answer of $name", (wire) => {
  test.each(answers)(
    "reaches its viewer as it is stored, and holds no server: $name",
    async (heavyAnswer) => {
      const chats = chatProcess();
      const model = modelOf(wire, (answer) => heavyAnswer.write(answer, size));
      const conversation = new Conversation(newOwner(database.sql), chats, resolvedModel(model));
      const { asks } = heavyAnswer;
      const question = asks?.repeat(Math.min(longestQuestion, size) / asks.length) ?? "Question";
      const stopwatch = new TurnStopwatch();
      const { run } = await conversation.send(question);
      if (!run) throw new Error("No answer began.");
      const [chunks] = await Promise.all([conversation.watch(run.id), chats.ended(run.id)]);
      const turnMs = stopwatch.stop();
      expect(textOf(await conversation.message(run.messageId))).toBe(textIn(chunks));
      expect(chats.failures).toEqual([]);
      // Small ones run while code is not optimized yet.
      if (size === fullSize) expect(turnMs).toBeLessThanOrEqual(longestTurnMs);
    },
  );
});

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
  return languageModel(provider, "m", { fetch });
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
