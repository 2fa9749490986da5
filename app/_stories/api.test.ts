import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { makeSession, readTranscript, store, storedTexts } from "./testing/api";
import { questions } from "./testing/conversation";
import { type StoryAnswer, test } from "./testing/test";

describe("The API answers what it cannot do with a status and a sentence", () => {
  test("an unknown session, message or leaf is not found", { tags: "long" }, async ({
    request,
  }) => {
    const sessionId = await makeSession(request, "Known");
    const unknown = [
      await request.get("/api/sessions/nowhere"),
      await request.get("/api/sessions/nowhere/transcript"),
      await request.get("/api/sessions/nowhere/tree"),
      await request.get("/api/sessions/nowhere/context"),
      await request.get(`/api/sessions/${sessionId}/transcript?leaf=nowhere`),
      await request.get(`/api/sessions/${sessionId}/transcript?under=nowhere`),
      await request.get(`/api/sessions/${sessionId}/messages/nowhere/receipt`),
      await request.patch(`/api/sessions/${sessionId}`, { data: { activeLeafId: "nowhere" } }),
      await request.patch(`/api/sessions/${sessionId}/messages/nowhere`, {
        data: { pinned: true },
      }),
      await request.post(`/api/sessions/${sessionId}/messages`, {
        data: question({ parentId: "nowhere" }),
      }),
      await request.post("/api/sessions/nowhere/messages", { data: question({}) }),
      await request.post(`/api/sessions/${sessionId}/fork`, { data: { messageId: "nowhere" } }),
      await request.post(`/api/sessions/${sessionId}/runs`, {
        data: { answerId: randomUUID(), parentId: "nowhere" },
      }),
    ];
    for (const response of unknown) await expectError(response, 404);
  });

  test("a body that does not fit names the field", { tags: "long" }, async ({ request }) => {
    const sessionId = await makeSession(request, "Fields");
    const path = `/api/sessions/${sessionId}/messages`;
    const long = "a".repeat(201);
    await expectError(await request.post(path, { data: question({ id: long }) }), 400, "id");
    await expectError(await request.post(path, { data: question({ parts: [] }) }), 400, "parts");
    await expectError(
      await request.post(path, { data: question({ generate: "yes" }) }),
      400,
      "generate",
    );
    await expectError(
      await request.patch(`/api/sessions/${sessionId}`, { data: { title: " " } }),
      400,
      "title",
    );
    const broken = await request.post(path, {
      headers: { "content-type": "application/json" },
      data: "{",
    });
    await expectError(broken, 400);
  });

  test("a message of two megabytes is too large", async ({ request }) => {
    const sessionId = await makeSession(request, "Large");
    const parts = [{ type: "text", text: "a".repeat(2_000_000) }];
    const response = await request.post(`/api/sessions/${sessionId}/messages`, {
      data: question({ parts }),
    });
    await expectError(response, 413);
  });
});

test("characters that no database keeps are stored and shown as visible replacements", {
  tags: "long",
}, async ({ page, request }) => {
  const sessionId = await makeSession(request, "Odd characters");
  await store(request, sessionId, "zero \u0000 and half \ud83c here");
  const [text = ""] = await storedTexts(request, sessionId);
  expect(text).toMatch(/^zero \S and half \S here$/u);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toContain("\u0000");
  await page.goto(`/s/${sessionId}`);
  await expect(questions(page)).toContainText(text);
});

function question(change: object): object {
  return { id: randomUUID(), parts: [{ type: "text", text: "Hello" }], generate: false, ...change };
}

async function expectError(response: StoryAnswer, status: number, field?: string): Promise<void> {
  expect(response.status()).toBe(status);
  const { error } = await response.json<{ error: { message: string; field?: string } }>();
  expect(error.message).toMatch(/^.{10,}\.$/);
  if (field) expect(error.field).toContain(field);
}

test("sending the same message twice stores it once", async ({ request }) => {
  const sessionId = await makeSession(request, "Twice");
  const id = randomUUID();
  const first = await store(request, sessionId, "Once", { id });
  const second = await store(request, sessionId, "Once", { id });
  expect(second.entry).toEqual(first.entry);
  expect((await readTranscript(request, sessionId)).entries).toHaveLength(1);
});
