import { expect, test } from "vitest";
import { freePort } from "@/lib/commands/testing/grove-process";
import { connectTo } from "./connect";
import { failureSentence } from "./failure-sentence";

test("a server that nothing answers for is asked whether it runs", async () => {
  const url = `http://127.0.0.1:${await freePort()}/mcp`;
  const failure = await connectTo({ kind: "http", url, headers: {} }).catch((error) => error);
  expect(failure.message).toMatch(/fetch failed/);
  expect(failureSentence(failure, "House", (text) => text)).toBe(
    "Can't reach “House”. Is it running?",
  );
});
