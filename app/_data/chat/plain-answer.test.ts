import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import fc from "fast-check";
import { expect, it } from "vitest";
import { emptyAnswer, withChunk } from "./plain-answer";

function read(chunks: readonly UIMessageChunk[]) {
  return chunks.reduce((answer, chunk) => withChunk(answer, chunk) ?? answer, emptyAnswer("run"));
}

async function readBySdk(chunks: readonly UIMessageChunk[]) {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let parts: UIMessage["parts"] = [];
  for await (const message of readUIMessageStream({ stream })) parts = message.parts;
  return parts;
}

/** Without what only a model needs back. */
function shown(part: UIMessage["parts"][number]) {
  return part.type === "text" || part.type === "reasoning"
    ? { type: part.type, text: part.text, state: part.state }
    : part;
}

const deltas = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
const written = fc
  .record({
    kind: fc.constantFrom("text", "reasoning"),
    id: fc.constantFrom("0", "1", "__proto__"),
    deltas,
    isClosed: fc.boolean(),
  })
  .map(
    ({ kind, id, deltas, isClosed }) =>
      [
        { type: `${kind}-start`, id },
        ...deltas.map((delta) => ({ type: `${kind}-delta`, id, delta })),
        ...(isClosed ? [{ type: `${kind}-end`, id }] : []),
      ] as UIMessageChunk[],
  );
// The SDK says nothing of a step until something is written in it.
const step = fc
  .array(written, { minLength: 1, maxLength: 3 })
  .map((parts): UIMessageChunk[] => [
    { type: "start-step" },
    ...parts.flat(),
    { type: "finish-step" },
  ]);

it("reads text and reasoning of any number of steps as the AI SDK does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      const chunks: UIMessageChunk[] = [
        { type: "start", messageId: "a1" },
        ...steps.flat(),
        { type: "finish" },
      ];
      expect(read(chunks).message.parts.map(shown)).toEqual((await readBySdk(chunks)).map(shown));
    }),
  );
});

it("leaves tool calls to the AI SDK, and goes on with the text after them", () => {
  const call: UIMessageChunk = { type: "tool-input-start", toolCallId: "c", toolName: "search" };
  expect(withChunk(emptyAnswer("a1"), call)).toBeNull();
  const { message } = read([
    call,
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "after" },
  ]);
  expect(message.parts).toEqual([{ type: "text", text: "after", state: "streaming" }]);
});

it("ignores a piece of a text that never began", () => {
  expect(withChunk(emptyAnswer("a1"), { type: "text-delta", id: "t", delta: "x" })).toBeNull();
});
