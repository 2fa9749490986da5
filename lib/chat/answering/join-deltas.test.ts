import { setImmediate } from "node:timers/promises";
import type { UIMessageChunk } from "ai";
import { expect, test } from "vitest";
import { DeltaJoiner } from "./join-deltas";

function delta(text: string, id = "1"): UIMessageChunk {
  return { type: "text-delta", id, delta: text };
}

test("Deltas of one turn become one chunk, and keep their order among others", async () => {
  const passed: UIMessageChunk[] = [];
  const joiner = new DeltaJoiner((chunk) => passed.push(chunk));
  for (const chunk of [delta("a"), delta("b"), delta("c", "2"), delta("d")]) joiner.add(chunk);
  await setImmediate();
  expect(passed).toEqual([delta("ab"), delta("c", "2"), delta("d")]);
  joiner.add(delta("e"));
  joiner.flush();
  expect(passed.at(-1)).toEqual(delta("e"));
});
