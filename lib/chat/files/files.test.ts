import { readFile } from "node:fs/promises";
import { APICallError } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiptOf } from "@/lib/chat/answering/answer-receipt";
import { contextView } from "@/lib/chat/answering/context-view";
import { compactFunction } from "@/lib/chat/compaction/compaction-model";
import { readFile as readStored } from "@/lib/chat/core/file-store";
import { searchEverything } from "@/lib/chat/sessions/search";
import { forkSession } from "@/lib/chat/sessions/session-detail";
import { transcript } from "@/lib/chat/sessions/transcript";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import { type AttachedFile, attachedFile, filePart } from "@/lib/chat/wire/files";
import type { ModelInfo } from "@/lib/llm";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { redPixel } from "./testing/small-files";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const report = () => readFile("lib/files/fixtures/report.pdf");

const seeing = { tools: true, reasoning: false, images: true, pdfs: true };

function talk(capabilities: ModelInfo["capabilities"] = seeing) {
  const model = new ManualModel();
  const resolved = resolvedModel(model.model, { capabilities, contextWindow: 1_000_000 });
  const chat = new Conversation(newOwner(database.sql), chatProcess(), resolved);
  const { files } = chat.owner;
  return {
    chat,
    files,
    model,
    resolved,
    /** Stores a file and sends it with a text; gives the parts of the model's last message. */
    async ask(text: string, file: AttachedFile) {
      model.turn(model.calls.length).say("Seen.").finish();
      const parts = [filePart(file), { type: "text", text }];
      await chat.ask(text, { parts });
      return model.calls.at(-1)?.prompt.at(-1)?.content;
    },
    async stored(name: string, bytes: Uint8Array): Promise<AttachedFile> {
      return { ...(await files.put(bytes, { name })), name };
    },
  };
}

describe("files of a message", () => {
  test("reach a model that takes images as their exact bytes, before the text", async () => {
    const { ask, stored } = talk();
    const given = await ask("What colour?", await stored("dot.png", redPixel));
    expect(given).toMatchObject([
      { type: "file", mediaType: "image/png", filename: "dot.png", data: { data: redPixel } },
      { type: "text", text: "What colour?" },
    ]);
  });

  test("are replaced by a note for a model that takes no images", async () => {
    const { ask, stored } = talk({ ...seeing, images: false });
    const given = await ask("What colour?", await stored("dot.png", redPixel));
    expect(given).toEqual([
      { type: "text", text: "[File “dot.png” not sent: this model takes no images]" },
      { type: "text", text: "What colour?" },
    ]);
  });

  test.each([
    ["has a place for them", true, ["text", "file"]],
    ["has none", undefined, "text"],
  ])(
    "that are images in a tool's result reach a model whose format %s",
    async (_, resultImages, given) => {
      const { chat, files, model } = talk({ ...seeing, ...(resultImages && { resultImages }) });
      const bytes = redPixel;
      const picture = { ...(await files.put(bytes, { name: "shot.png" })), name: "shot.png" };
      const parentId = await chat.say("Look");
      const call = { type: "dynamic-tool", toolName: "look", toolCallId: "c1", input: {} };
      const parts = [
        { ...call, state: "output-available", output: "A screenshot" },
        { ...filePart(picture), isOfResult: true },
      ];
      const result = { id: "r1", role: "assistant" as const, parts };
      await chat.owner.store.messages(chat.sessionId).appendMessage(result, parentId);
      model.turn(0).say("Seen.").finish();
      await chat.ask("What is on it?");
      const [sent] = model.calls;
      const told = sent?.prompt.flatMap((each) => (each.role === "tool" ? each.content : []))[0];
      const output = told?.type === "tool-result" ? told.output : null;
      const kinds =
        output?.type === "content" ? output.value.map(({ type }) => type) : output?.type;
      expect(kinds).toEqual(given);
      expect(JSON.stringify(sent?.prompt)).toContain("A screenshot");
      const image = output?.type === "content" ? output.value[1] : null;
      if (image?.type === "file" && image.data.type === "data")
        expect(Buffer.from(image.data.data as Uint8Array)).toEqual(Buffer.from(bytes));
      const answer = sent?.prompt.find(({ role }) => role === "assistant");
      expect(JSON.stringify(answer)).not.toContain("shot.png");
    },
  );

  test("are named in the receipt, with the reason, where the model gets nothing of them", {
    tags: "long",
  }, async () => {
    const { chat, model, stored } = talk();
    const large = (fill: number) => Buffer.concat([redPixel, Buffer.alloc(13_000_000, fill)]);
    const files = [
      await stored("old.png", large(1)),
      await stored("new.png", large(2)),
      await stored("song.mp3", Buffer.from("ID3\x04\0")),
    ];
    model.turn(0).say("Seen.").finish();
    const parts = [...files.map(filePart), { type: "text", text: "Compare them" }];
    const { id } = await chat.ask("Compare them", { parts });
    const receipt = await receiptOf(chat.owner, chat.sessionId, id);
    expect(receipt?.messages).toMatchObject([
      {
        withheld: [
          { name: "old.png", reason: "newer files of this chat fill the 24 MB of a request" },
          { name: "song.mp3", reason: "models do not read files of its type" },
        ],
      },
    ]);
    expect(receipt?.messages[0]).not.toHaveProperty("since");
    expect(JSON.stringify(model.calls[0]?.prompt.at(-1)?.content)).toMatch(
      /File “old.png” not sent: newer files .*new\.png/,
    );
  });

  test("reach every model as text when they are text, exactly as they were", {
    tags: "long",
  }, async () => {
    const { ask, stored } = talk({ ...seeing, images: false, pdfs: false });
    const code = "function a() {\r\n\treturn `é`;\n}\n";
    const given = await ask("Why?", await stored("a.ts", Buffer.from(code)));
    expect(JSON.stringify(given)).toContain(JSON.stringify(code).slice(1, -1));
  });

  test("are named by their hash in the stored message, with facts of the server", async () => {
    const { chat, stored } = talk();
    const file = await stored("dot.png", redPixel);
    const lied = { ...file, mediaType: "text/html", size: 5, tokens: 0, alt: "A red dot" };
    const { entry } = await chat.send("", { parts: [filePart(lied)], generate: false });
    const [part] = entry.message.parts;
    expect(part && attachedFile(part)).toEqual({ ...file, alt: "A red dot" });
    expect(JSON.stringify(entry)).not.toContain(Buffer.from(redPixel).toString("base64"));
  });

  test("are refused when they are not stored, and then nothing of the message is", async () => {
    const { chat } = talk();
    const file = { sha256: "0".repeat(64), name: "x.png", size: 1, mediaType: "image/png" };
    await expect(chat.send("Hi", { parts: [filePart(file)] })).rejects.toMatchObject({
      code: "file-not-found",
    });
    expect(await chat.owner.store.sessions.get(chat.sessionId)).toBeNull();
  });

  test("that their model refuses stay with the question, and the answer says so", async () => {
    const { chat, model, stored } = talk();
    const file = await stored("dot.png", redPixel);
    const refusal = new APICallError({
      message: "Could not process image",
      url: "https://models.test",
      requestBodyValues: {},
      statusCode: 400,
      isRetryable: false,
    });
    model.turn(0).break(refusal);
    const parts = [filePart(file), { type: "text", text: "What colour?" }];
    const answer = await chat.ask("What colour?", { parts });
    expect(answer.metadata).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("Could not process image") },
    });
    const [question] = await chat.owner.store.messages(chat.sessionId).getHistory();
    expect(question?.parts).toMatchObject([{ filename: "dot.png" }, { text: "What colour?" }]);
    expect(await readStored(chat.owner.files, file.sha256)).toEqual(redPixel);
  });

  test("that cannot be read are named as the fault, not the provider, which gets nothing", {
    tags: "long",
  }, async () => {
    const { chat, model, ask, stored } = talk();
    const file = await stored("dot.png", redPixel);
    await ask("What colour?", file);
    await database.sql`delete from chat_file where sha256 = ${file.sha256}`;
    const answer = await chat.ask("And now?");
    expect(answer.metadata).toMatchObject({
      status: "failed",
      error: { code: "unread", message: expect.stringContaining("no longer stored") },
    });
    expect(model.calls).toHaveLength(1);
  });

  test("come along in a fork", { tags: "long" }, async () => {
    const { chat, ask, stored } = talk();
    const file = await stored("dot.png", redPixel);
    await ask("What colour?", file);
    const leaf = await chat.owner.store.messages(chat.sessionId).getLatestLeaf();
    const fork = await forkSession(chat.owner, chat.sessionId, {
      messageId: leaf?.id ?? "",
      title: "",
      withSideBranches: false,
    });
    const { entries } = await transcript(chat.owner, fork.id, {});
    const [part] = entries[0]?.message.parts ?? [];
    expect(part && attachedFile(part)?.sha256).toBe(file.sha256);
  });

  test("are known by their bytes, whatever their name says", async () => {
    const { files } = talk();
    expect(await files.put(redPixel, { name: "page.html" })).toMatchObject({
      mediaType: "image/png",
      width: 1,
      height: 1,
    });
    expect(await files.put(Buffer.from("<html><p>Hi"), { name: "a.png" })).toMatchObject({
      mediaType: "text/plain",
    });
  });

  test("reach a model that takes no PDFs as text with the numbers of their pages", {
    tags: "long",
  }, async () => {
    const { ask, stored } = talk({ ...seeing, pdfs: false });
    const given = JSON.stringify(
      await ask("How much?", await stored("report.pdf", await report())),
    );
    expect(given).toMatch(/\[Page 1\].*412 kilograms.*\[Page 2\].*37 kilograms/);
  });

  test("are counted in the gauge as they are given", { tags: "long" }, async () => {
    const seen = talk();
    const blind = talk({ ...seeing, images: false });
    const gauges = await Promise.all(
      [seen, blind].map(async ({ chat, ask, stored, resolved }) => {
        await ask("What colour?", { ...(await stored("dot.png", redPixel)), name: "dot.png" });
        const { sessionId } = chat;
        return (await contextView(chat.owner, { sessionId, resolved })).gauge;
      }),
    );
    const messages = gauges.map(({ parts }) => parts.find(({ source }) => source === "messages"));
    expect(messages[0]?.tokens).toBeLessThan(messages[1]?.tokens ?? 0);
  });

  test("reach a summary as their text, since it stands in for what they said", async () => {
    const { chat, stored, model, resolved } = talk();
    const file = await stored("notes.txt", Buffer.from("The quince gave 412 kilograms."));
    await chat.send("", { parts: [filePart(file)], generate: false });
    await chat.say("And now something else entirely, at some length, to be summarized as well.");
    const compact = compactFunction(chat.owner, chat.sessionId, { resolved });
    model.turn(0).say("Quince: 412 kg.").finish();
    await compact.summarizeAll?.(await chat.owner.store.messages(chat.sessionId).getHistory());
    expect(JSON.stringify(model.calls[0]?.prompt)).toContain("The quince gave 412 kilograms.");
  });

  test("that a model makes are stored like others, and never as base64 in the message", {
    tags: "long",
  }, async () => {
    const { chat, files, model } = talk();
    model.turn(0).say("Here.").make("image/png", redPixel).finish();
    const answer = await chat.ask("Draw a dot");
    const made = answer.parts.flatMap((part) => attachedFile(part) ?? []);
    expect(made).toMatchObject([
      { mediaType: "image/png", size: redPixel.length, name: "Image.png" },
    ]);
    expect(Buffer.from(await readStored(files, made[0]?.sha256 ?? ""))).toEqual(redPixel);
    const chunks = await chat.owner.runs.readChunks(answer.metadata?.runId ?? "", 0);
    expect(JSON.stringify([answer, chunks])).not.toContain("base64");
    model.turn(1).say("Yes.").finish();
    await chat.ask("Is it red?");
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain(
      "[File “Image.png” was part of this answer]",
    );
  });

  test("that a model makes and the person may not store are named, and the answer goes on", {
    tags: "long",
  }, async () => {
    const { chat, model } = talk();
    const { spaceId: ownerId } = chat.owner;
    await database.sql`
      insert into account_user (id, owner_id, name, email)
      values (${ownerId}, ${ownerId}, 'Bob', ${`${ownerId}@example.org`})`;
    await database.sql`
      insert into chat_owner (owner_id, settings)
      values (${`account/${ownerId}`}, '{"limits":{"storedMegabytes":0}}')`;
    model.turn(0).say("Here.").make("image/png", redPixel).say("Done.").finish();
    const answer = await chat.ask("Draw a dot");
    expect(answer.metadata).toMatchObject({ status: "complete" });
    const texts = answer.parts.flatMap((part) => (part.type === "text" ? part.text : []));
    expect(texts).toEqual([
      "Here.Done.",
      expect.stringMatching(/^\[A file of this answer was left out: Your files use 0 MB/),
    ]);
  });

  test("are found by their text, with the page, while a message names them", {
    tags: "long",
  }, async () => {
    const { chat, files, ask, stored } = talk();
    const find = () =>
      searchEverything(chat.owner as OwnerServices, {
        input: "medlar",
        sessionId: null,
        limit: 10,
      });
    const file = await stored("report.pdf", await report());
    expect((await find()).files).toEqual([]);
    await ask("How much?", file);
    const [hit] = (await find()).files;
    expect(hit).toMatchObject({ name: "report.pdf", page: 2, pages: 2, sessionId: chat.sessionId });
    expect(hit?.snippet.text).toContain("medlar gave 37 kilograms");
    expect(await files.pages(file.sha256, { from: 2 })).toHaveLength(1);
    await chat.owner.store.sessions.delete(chat.sessionId);
    expect((await find()).files).toEqual([]);
  });
});
