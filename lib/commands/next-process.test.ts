import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { waitUntilHealthy } from "./next-process";

test("a server that is not there yet, or whose database is not, is waited for", async () => {
  expect(
    await waitUntilHealthy({
      address: await serverOf([503, 404, 500, 503, 200]),
      withinMs: 10_000,
    }),
  ).toBe(true);
});

test("a server that only fails is given up before the time is over", async () => {
  expect(await waitUntilHealthy({ address: await serverOf([500]), withinMs: 3_600_000 })).toBe(
    false,
  );
});

test("a server that never answers is given up when the time is over", async () => {
  expect(await waitUntilHealthy({ address: "http://127.0.0.1:1", withinMs: 150 })).toBe(false);
});

/** Answers each request with the next status, repeating the last. */
async function serverOf(statuses: number[]): Promise<string> {
  const left = [...statuses];
  const server = createServer((_, response) => {
    response.statusCode = (left.length > 1 ? left.shift() : left[0]) ?? 500;
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}
