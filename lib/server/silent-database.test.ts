import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTcpProxy, type TcpProxy } from "@/lib/postgres/testing/tcp-proxy";
import { route } from "./route";
import { startTestServices, type TestServices } from "./testing/test-services";

let served: TestServices;
let proxy: TcpProxy;

beforeAll(async () => {
  served = await startTestServices({ PORT: "3000" });
  proxy = await startTcpProxy(served.database.url);
});
afterAll(async () => {
  await proxy.close();
  await served.end();
});

const ask = route(async ({ services: { sql } }) => {
  await sql`select 1`;
  return Response.json({ ok: true });
});

async function answer(): Promise<unknown> {
  const host = "localhost:3000";
  const request = new Request(`http://${host}/api`, { headers: { host } });
  const response = await ask(request, { params: Promise.resolve({}) });
  return response.json();
}

test("a route names a silent database within 10 s, and answers again when the database does", {
  tags: "long",
}, async () => {
  vi.stubEnv("DATABASE_URL", proxy.url);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await answer()).toEqual({ ok: true });
  proxy.silence();
  const named = {
    error: { code: "database", message: expect.stringContaining("does not answer") },
  };
  const askedAt = performance.now();
  expect(await Promise.all([answer(), answer()])).toEqual([named, named]);
  expect(performance.now() - askedAt).toBeLessThan(10_000);
  proxy.speak();
  await expect.poll(answer).toEqual({ ok: true });
});
