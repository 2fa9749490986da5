import { afterAll, beforeAll, expect, it } from "vitest";
import { redPixel } from "@/lib/chat/files/testing/small-files";
import { featuresIn } from "@/lib/chat/settings/model-features";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { filePart } from "@/lib/chat/wire/files";
import type { ModelInfo } from "@/lib/llm";
import { modelLimits } from "@/lib/llm/model-limits";
import { languageModel } from "@/lib/llm/protocols";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { receiptOf } from "./answer-receipt";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const words =
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
const unknown = { tools: null, reasoning: false, images: null, pdfs: null };

interface SentBody {
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A server that refuses a request when `refusing` says why, else answers. */
function serverThat(refusing: (body: SentBody) => string | null) {
  const bodies: SentBody[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body: SentBody = JSON.parse(String(init?.body));
    bodies.push(body);
    const message = refusing(body);
    if (message !== null) return Response.json({ error: { message } }, { status: 500 });
    const chunk = { choices: [{ index: 0, delta: { content: "Fine." }, finish_reason: "stop" }] };
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
      headers: { "content-type": "text/event-stream" },
    });
  };
  const provider = {
    id: "compatible:strict",
    kind: "compatible",
    label: "Strict",
    baseUrl: "http://strict.test/v1",
    apiKey: null,
    api: "chat",
    models: null,
  } as const;
  const model = languageModel(provider, "m", { fetch, limits: modelLimits({}) });
  const chat = (info: Partial<ModelInfo> = {}) =>
    new Conversation(
      newOwner(database.sql),
      chatProcess(),
      resolvedModel(model, { ref: "compatible:strict/m", capabilities: unknown, ...info }),
    );
  return { bodies, chat };
}

const storedFeatures = async ({ owner }: Conversation) =>
  featuresIn(await (owner as ReturnType<typeof newOwner>).settings.read());

it("asks once more without tools, at once, and remembers what the server refused", async () => {
  const { bodies, chat } = serverThat(({ tools }) => (tools ? words : null));
  const conversation = chat();
  const answer = await conversation.ask("Hello");
  expect(answer.metadata).toMatchObject({ status: "complete", leftOut: { refused: ["tools"] } });
  expect(bodies.map(({ tools }) => tools !== undefined)).toEqual([true, false]);
  const refused = { feature: "tools", words };
  expect(await receiptOf(conversation.owner, conversation.sessionId, answer.id)).toMatchObject({
    refused: [refused],
  });
  expect(await storedFeatures(conversation)).toEqual([
    { ref: "compatible:strict/m", ...refused, takes: false, by: "server" },
  ]);
});

it("offers no tools to a model that is known to refuse them, and says so in the receipt", async () => {
  const { bodies, chat } = serverThat(({ tools }) => (tools ? words : null));
  const conversation = chat({ capabilities: { ...unknown, tools: false }, without: ["tools"] });
  const answer = await conversation.ask("Hello");
  expect(bodies).toHaveLength(1);
  expect(await receiptOf(conversation.owner, conversation.sessionId, answer.id)).toMatchObject({
    tools: [],
    without: ["tools"],
  });
});

it("keeps the person's word about a model whose server refuses", async () => {
  const { chat } = serverThat(({ tools }) => (tools ? words : null));
  const conversation = chat();
  const { settings } = conversation.owner as ReturnType<typeof newOwner>;
  await settings.change({ "feature:tools compatible:strict/m": { takes: true, by: "person" } });
  await conversation.ask("Hello");
  expect(await storedFeatures(conversation)).toMatchObject([{ takes: true, by: "person" }]);
});

async function sendPicture(conversation: Conversation) {
  const stored = await (conversation.owner as ReturnType<typeof newOwner>).files.put(redPixel);
  const parts = [{ type: "text", text: "See" }, filePart({ ...stored, name: "pixel.png" })];
  return conversation.ask("", { parts });
}

const hasImage = ({ messages }: SentBody) => JSON.stringify(messages).includes("image_url");

it("sends images to a model of which nobody knows, and names those that its server refuses", async () => {
  const { bodies, chat } = serverThat((body) =>
    hasImage(body) ? "m is not a multimodal model" : null,
  );
  const answer = await sendPicture(chat());
  expect(bodies.map(hasImage)).toEqual([true, false]);
  expect(JSON.stringify(bodies[1])).toContain("pixel.png");
  expect(answer.metadata).toMatchObject({
    status: "complete",
    leftOut: {
      refused: ["images"],
      files: [{ name: "pixel.png", reason: "this model takes no images" }],
    },
  });
});

it("marks an answer whose model is known to take no images", async () => {
  const { bodies, chat } = serverThat(() => null);
  const answer = await sendPicture(chat({ capabilities: { ...unknown, images: false } }));
  expect(bodies.map(hasImage)).toEqual([false]);
  expect(answer.metadata?.leftOut).toEqual({
    files: [{ name: "pixel.png", reason: "this model takes no images" }],
    fileCount: 1,
  });
});

it("puts instructions into the question where a template takes no system message", async () => {
  const { bodies, chat } = serverThat(({ messages }) =>
    messages.some(({ role }) => role === "system") ? "System role not supported" : null,
  );
  const answer = await chat().ask("Hello");
  expect(answer.metadata?.leftOut).toEqual({ refused: ["system"] });
  expect(bodies[1]?.messages.map(({ role }) => role)).toEqual(["user"]);
  expect(bodies[1]?.messages[0]?.content).toMatch(/\n\nHello$/);
});

it("shows a fault that names no feature, and asks no second time", { tags: "long" }, async () => {
  const { bodies, chat } = serverThat(() => "Unknown chat template");
  expect((await chat().ask("Hello")).metadata?.status).toBe("failed");
  expect(bodies.every(({ tools }) => tools !== undefined)).toBe(true);
});
