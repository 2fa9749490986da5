import { SessionNotFoundError } from "grove-session";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { sendRequest } from "@/lib/chat/wire/messages";
import { testOwnerCookie } from "./owner-of";
import { bodyOf, route } from "./route";
import { startTestServices, type TestServices } from "./testing/test-services";

let served: TestServices;

beforeAll(async () => {
  served = await startTestServices({ PORT: "3000", HOST: "127.0.0.1", GROVE_TEST_OWNERS: "1" });
});
afterAll(() => served.end());

const host = "localhost:3000";
const get = (path: string) => new Request(`http://${host}${path}`, { headers: { host } });
const post = (body: unknown) =>
  new Request("http://localhost/api", {
    method: "POST",
    headers: { host, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

async function answer(handler: Parameters<typeof route<{ id: string }>>[0], request: Request) {
  const response = await route<{ id: string }>(handler)(request, {
    params: Promise.resolve({ id: "x" }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const echo = (schema: z.ZodType) => (request: Request) =>
  answer(async ({ request: given }) => Response.json(await bodyOf(given, schema)), request);

describe("a route", () => {
  test("gives its handler the parameters, the query and the owner", { tags: "long" }, async () => {
    const request = get("/api?limit=7");
    const got = await answer(
      ({ params, query, owner }) =>
        Response.json([params.id, Number(query.get("limit")), owner.spaceId]),
      request,
    );
    expect(got).toEqual({ status: 200, body: ["x", 7, "local"] });
  });

  test("cancels the stream of a HEAD request, which nobody would read", async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({ cancel });
    const stream = route(() => new Response(body, { headers: { "x-kind": "stream" } }));
    const request = new Request(`http://${host}/api`, { method: "HEAD", headers: { host } });
    const response = await stream(request, { params: Promise.resolve({}) });
    expect(response.headers.get("x-kind")).toBe("stream");
    expect(response.body).toBeNull();
    expect(cancel).toHaveBeenCalledOnce();
  });

  test.each(["before it is answered", "before its answer is read"])(
    "cancels the stream of a client that goes %s",
    async (when) => {
      const cancel = vi.fn();
      const leaving = new AbortController();
      const stream = route(() => {
        if (when === "before it is answered") leaving.abort();
        return new Response(new ReadableStream({ cancel }));
      });
      const { signal } = leaving;
      const request = new Request(`http://${host}/api`, { headers: { host }, signal });
      await stream(request, { params: Promise.resolve({}) });
      leaving.abort();
      expect(cancel).toHaveBeenCalledOnce();
    },
  );

  test("leaves the stream alone that somebody reads when its client goes", {
    tags: "long",
  }, async () => {
    const cancel = vi.fn();
    const leaving = new AbortController();
    const stream = route(() => new Response(new ReadableStream({ cancel })));
    const { signal } = leaving;
    const request = new Request(`http://${host}/api`, { headers: { host }, signal });
    const response = await stream(request, { params: Promise.resolve({}) });
    response.body?.getReader();
    leaving.abort();
    expect(cancel).not.toHaveBeenCalled();
  });

  test("gives each owner the example session on their first request, and only then", {
    tags: "long",
  }, async () => {
    const titles = (owner: string) => {
      const request = get("/api");
      request.headers.set("cookie", `${testOwnerCookie}=${owner}`);
      return answer(async ({ owner: { store, spaceId } }) => {
        const { sessions } = await store.sessions.list();
        for (const { id } of sessions) await store.sessions.delete(id);
        return Response.json([spaceId, ...sessions.map(({ name }) => name)]);
      }, request);
    };
    expect((await titles("ann")).body).toEqual(["ann", "Example: a balcony garden"]);
    expect((await titles("ben")).body).toEqual(["ben", "Example: a balcony garden"]);
    expect((await titles("ann")).body).toEqual(["ann"]);
  });

  test("turns away another host and another site before anything else", async () => {
    const handler = () => Response.json("reached");
    const foreign = new Request("http://evil.example/api", { headers: { host: "evil.example" } });
    expect(await answer(handler, foreign)).toMatchObject({
      status: 403,
      body: { error: { code: "forbidden-host" } },
    });
    const form = new Request(`http://${host}/api`, {
      method: "POST",
      headers: { host, "content-type": "text/plain" },
      body: "{}",
    });
    expect(await answer(handler, form)).toMatchObject({ status: 415 });
  });

  test("answers what its handler throws", { tags: "long" }, async () => {
    const got = await answer(() => {
      throw new SessionNotFoundError("x");
    }, get("/api"));
    expect(got).toMatchObject({ status: 404, body: { error: { code: "session-not-found" } } });
  });

  test.each([
    [{ parts: [{ type: "text", text: "x" }] }, "id"],
    [{ id: "", parts: [{ type: "text" }] }, "id"],
    [{ id: "m", parts: [] }, "parts"],
    [{ id: "m", parts: [{ type: "text" }, { text: "x" }] }, "parts.1.type"],
    [{ id: "m", parts: [{ type: "text" }], newSession: { title: 1 } }, "newSession.title"],
    [[], ""],
  ])("refuses %j naming the field", async (body, field) => {
    const got = await echo(sendRequest)(post(body));
    expect(got).toMatchObject({ status: 400, body: { error: { code: "invalid-body", field } } });
    expect((got.body as { error: { message: string } }).error.message).toMatch(/\.$/);
  });

  test("refuses what is no JSON", async () => {
    expect(await echo(z.object({}))(post("{"))).toMatchObject({ status: 400 });
  });

  test("shows handlers no text that cannot be stored", { tags: "long" }, async () => {
    const schema = z.object({ title: z.string(), tags: z.array(z.string()) });
    const body = `{"title":"a\\u0000b","tags":["\\ud800"]}`;
    expect((await echo(schema)(post(body))).body).toEqual({ title: "a␀b", tags: ["\ufffd"] });
  });
});
