import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fetchV1, serveV1 } from "./testing/v1-server";

const { database, keyWith, models, owner } = serveV1();

async function program() {
  const { secret } = await keyWith();
  return async (path: string, name: string, body: unknown) => {
    const response = await fetchV1(`http://grove.test/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        "idempotency-key": name,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
    };
  };
}

const echo = "compatible:fake/echo";
const said = (text: string) => ({ role: "user", content: text });
const answers = () =>
  database()
    .sql`select from chat_usage where kind = 'answer' and created_at > now() - interval '1 hour'`;

describe("a stream asked for again", () => {
  test.each([
    ["/responses", { input: "One two three", stream: true }],
    ["/chat/completions", { messages: [said("Four five six")], stream: true }],
  ])("of %s is the same answer, while it is written and afterwards", async (path, body) => {
    const post = await program();
    models().pauseMs = 20;
    const { length } = await answers();
    const both = await Promise.all([post(path, "s", body), post(path, "s", body)]);
    const later = await post(path, "s", body);
    const idsOf = (text: string) => [...new Set(text.match(/"id":"(resp|chatcmpl)[^"]+"/g))];
    const wordsOf = (text: string) =>
      [...text.matchAll(/"(?:delta|content)":"([^"]*)"/g)].map(([, word]) => word).join("");
    for (const { status, text } of [...both, later]) {
      expect(status).toBe(200);
      expect(idsOf(text)).toEqual(idsOf(both[0]?.text ?? ""));
      expect(wordsOf(text)).toContain("You said: ");
      expect(wordsOf(text)).toBe(wordsOf(both[0]?.text ?? ""));
    }
    expect((await answers()).length).toBe(length + 1);
  });
});

test.each([
  ["/responses", { input: "Seven" }],
  ["/chat/completions", { messages: [said("Eight")] }],
  ["/messages", { model: echo, messages: [said("Nine")], max_tokens: 99 }],
])(
  "an answer of %s whose chunks are gone is read where it is stored",
  { tags: "long" },
  async (path, body) => {
    const post = await program();
    for (const stream of [false, true]) {
      const asked = { ...body, stream };
      const name = `gone ${stream}`;
      expect((await post(path, name, asked)).status).toBe(200);
      const running = () => database().sql`select from chat_run where status = 'running'`;
      await expect.poll(async () => (await running()).length).toBe(0);
      await database().sql`delete from chat_stream`;
      const again = await post(path, name, asked);
      expect(again.status, again.text).toBe(200);
      expect(again.text).toContain("You said: ");
      expect(again.text).not.toContain("interrupted");
    }
  },
);

test("one body as a stream and then whole are two requests, so the second is a conflict", async () => {
  const post = await program();
  await post("/responses", "n", { input: "Hello", stream: true });
  const whole = await post("/responses", "n", { input: "Hello" });
  expect(whole.json()).toMatchObject({ error: { type: "conflict_error", code: "conflict" } });
  expect(whole.status).toBe(409);
});

test("a name belongs to one path, one query and one key", async () => {
  const [post, other] = [await program(), await program()];
  const made = (await post("/conversations", "n", {})).json();
  expect((await post("/conversations", "n", {})).json()).toEqual(made);
  expect((await post(`/conversations/${made.id}`, "n", {})).status).toBe(409);
  expect((await post("/conversations?a=1", "n", {})).status).toBe(409);
  expect((await other("/conversations", "n", {})).json().id).not.toBe(made.id);
});

test("the same values in another order and with other spaces are the same body", async () => {
  const post = await program();
  const first = await post("/conversations", "n", '{"metadata":{"a":"1","b":"2"},"items":[]}');
  const again = await post(
    "/conversations",
    "n",
    '{ "items": [], "metadata": { "b": "2", "a": "1" } }',
  );
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.json()).toEqual(first.json());
});

test.each([
  ["that is no JSON", "{", 400],
  ["that is empty", "", 400],
  ["that is refused", { input: 5 }, 400],
  ["with an unknown model", { input: "Hi", model: "none/none" }, 404],
])(
  "a body %s is refused each time, and leaves the name to the same body",
  async (_, body, status) => {
    const post = await program();
    for (let n = 0; n < 2; n++) expect((await post("/responses", "n", body)).status).toBe(status);
    expect((await post("/responses", "n", { input: "Another" })).status).toBe(409);
  },
);

test.each(["", "x".repeat(256)])("refuses the name “%.5s”", async (name) => {
  const post = await program();
  const refused = await post("/conversations", name, {});
  expect(refused.status).toBe(400);
  expect(refused.json().error.code).toBe("invalid-idempotency-key");
});

test("a response that is not stored is answered once, and not again when it has ended", async () => {
  const post = await program();
  const body = { input: "Forget this", store: false };
  const [one, other] = await Promise.all([
    post("/responses", "n", body),
    post("/responses", "n", body),
  ]);
  const ids = [one, other].map(({ status, json }) => (status === 200 ? json().id : status));
  expect(new Set(ids.filter((id) => id !== 409)).size).toBe(1);
  await expect.poll(async () => (await post("/responses", "n", body)).status).toBe(409);
});

test("a response that was deleted is not made again", async () => {
  const post = await program();
  const { id } = (await post("/responses", "n", { input: "Delete me" })).json();
  const run = await owner().runs.get(id.slice("resp_".length));
  await owner()
    .store.messages(run?.sessionId ?? "")
    .deleteMessages([run?.messageId ?? ""]);
  expect((await post("/responses", "n", { input: "Delete me" })).status).toBe(409);
});

test("after a day the name is free, and another body makes another response", {
  tags: "long",
}, async () => {
  const post = await program();
  const first = (await post("/responses", "n", { input: "First" })).json();
  await database().sql`update chat_request set expires_at = now()`;
  const second = await post("/responses", "n", { input: "Second" });
  expect(second.status).toBe(200);
  expect(second.json().id).not.toBe(first.id);
});

test("a response that an earlier version started is found by its name within a day", async () => {
  const post = await program();
  const { id } = (await post("/responses", "n", { input: "Before" })).json();
  const { sql } = database();
  const [key] = await sql<{ key_id: string }[]>`
    select key_id from chat_run where run_id = ${id.slice("resp_".length)}`;
  const earlier = createHash("sha256")
    .update(JSON.stringify([key?.key_id, "n"]))
    .digest("hex")
    .slice(0, 32);
  await sql`update chat_run set run_id = ${earlier} where run_id = ${id.slice("resp_".length)}`;
  const { length } = await answers();
  expect((await post("/responses", "n", { input: "Before" })).json().id).toBe(`resp_${earlier}`);
  expect((await answers()).length).toBe(length);
});

test("many names at once in one conversation wait for no connection", {
  tags: "long",
}, async () => {
  const post = await program();
  const { id } = (await post("/conversations", "c", {})).json();
  const ends = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      post(`/conversations/${id}/items`, `${n % 10}`, { items: [said(`Item ${n % 10}`)] }),
    ),
  );
  expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 200));
  const [chat] = await database().sql<{ message_count: number }[]>`
    select message_count from chat_session where session_id = ${id.slice("conv_".length)} and owner_id = 'local'`;
  expect(chat?.message_count).toBe(10);
});

test("a compaction that stores nothing leaves no answer to be given again", async () => {
  const post = await program();
  const body = { input: [said("Secret")], store: false };
  expect((await post("/responses/compact", "forget", body)).status).toBe(200);
  const [kept] = await database().sql`select count(answer)::integer as answers from chat_request
    where state = 'done' and made_id = (select made_id from chat_request order by expires_at desc limit 1)`;
  expect(kept?.answers).toBe(0);
  expect((await post("/responses/compact", "forget", body)).status).toBe(409);
});
