import { jsonSchema, type Tool } from "ai";
import { expect, test } from "vitest";
import { withBoundedOutput } from "./bounded-output";

const large = { rows: "x".repeat(1_000_001) };
const options = { toolCallId: "c", messages: [], context: {} };

function toolOf(execute: () => unknown): Tool {
  return withBoundedOutput({ inputSchema: jsonSchema({ type: "object" }), execute } as Tool);
}

const run = async (made: Tool) => made.execute?.({}, options as never);

test("an output of usual size is the tool's own", async () => {
  expect(await run(toolOf(() => ({ rows: "few" })))).toEqual({ rows: "few" });
});

test("an output that is too large fails with a sentence", async () => {
  await expect(run(toolOf(async () => large))).rejects.toThrow(
    "The tool returned 1,000,012 characters, and at most 1,000,000 are taken, so all were left out. Ask it for less.",
  );
});

test("progress of usual size is passed on until an output is too large", async () => {
  const made = toolOf(async function* () {
    yield "half";
    yield large;
  });
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const each of (await run(made)) as AsyncIterable<unknown>) seen.push(each);
  })();
  await expect(reading).rejects.toThrow("1,000,012 characters");
  expect(seen).toEqual(["half"]);
});
