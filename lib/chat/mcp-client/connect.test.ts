import type { Client } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { toolsOf } from "./connect";

test("a list on slow pages has one deadline", async () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const timeouts: number[] = [];
  const client = {
    request: async (_: unknown, { timeout }: { timeout: number }) => {
      timeouts.push(timeout);
      now += 10_000;
      if (timeouts.length === 4) throw new Error("Late");
      return { tools: [], nextCursor: String(timeouts.length) };
    },
  } as unknown as Client;
  await expect(toolsOf(client)).rejects.toThrow("Late");
  expect(timeouts).toEqual([15_000, 15_000, 10_000, 1]);
});
