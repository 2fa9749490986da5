import type { Client } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { Connections, toolsOf } from "./connect";
import { startToolServer } from "./testing/tool-server";

test("a connection that one call leaves stays open for the others until the answer ends", async () => {
  const server = await startToolServer();
  onTestFinished(() => server.close());
  const connections = new Connections();
  const open = () =>
    connections.to("s", async () => ({ kind: "http", url: server.url, headers: {} }), {
      mayAsk: false,
    });
  const first = await open();
  await connections.leave("s", first);
  const second = await open();
  expect(second).not.toBe(first);
  const call = () => first.callTool({ name: "weather", arguments: { city: "Rome" } });
  expect(await call()).toMatchObject({ content: [{ text: "Sunny in Rome" }] });
  await connections.close();
  await expect(call()).rejects.toThrow();
});

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
