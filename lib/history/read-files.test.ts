import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatRecords } from "./chat-records";
import { readFiles, readLimits } from "./read-files";
import { chatGptChat } from "./testing/chatgpt-export";
import { foundIn, jsonFile } from "./testing/found-in";

async function zipOf(files: Record<string, string>): Promise<File> {
  const { BlobWriter, TextReader, ZipWriter } = await import("@zip.js/zip.js/external");
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [name, text] of Object.entries(files)) await writer.add(name, new TextReader(text));
  return new File([await writer.close()], "export.zip");
}

const chat = (id: string) =>
  chatGptChat(
    [
      { id: "q", text: `Question ${id}` },
      { id: "a", parent: "q", role: "assistant", text: "Answer" },
    ],
    { id, conversation_id: id, title: id },
  );

describe("Files of another product", () => {
  test("may be a zip of many, with others beside the chats", async () => {
    const file = await zipOf({
      "conversations-000.json": JSON.stringify([chat("one"), chat("two")]),
      "conversations-001.json": JSON.stringify([chat("three")]),
      "user.json": '{"id":"user"}',
      "chat.html": "<html>",
      "__MACOSX/conversations-000.json": "x",
    });
    const shares: number[] = [];
    const found = await Array.fromAsync(
      readFiles([file], { onProgress: (share) => shares.push(share) }),
    );
    expect(found).toMatchObject([
      { chat: { title: "one" } },
      { chat: { title: "two" } },
      { chat: { title: "three" } },
    ]);
    expect(shares.at(-1)).toBe(1);
  });

  test("lie beside the chats under their ids or names, and one too large stays away", async () => {
    const file = await zipOf({
      "conversations.json": JSON.stringify([chat("one")]),
      "file-1b-leaf.txt": "A leaf",
      "user-x/file_0a-sanitized.png": "A picture",
      "notes.txt": "x".repeat(100),
    });
    const limits = { ...readLimits, fileBytes: 50 };
    const [found] = await Array.fromAsync(readFiles([file], { limits }));
    const text = async (id: string, name = "") =>
      found?.type === "chat" ? await (await found.open({ id, name }))?.text() : null;
    expect(await text("file-1b")).toBe("A leaf");
    expect(await text("file_0a")).toBe("A picture");
    expect(await text("other", "file-1b-leaf.txt")).toBe("A leaf");
    expect(await text("notes.txt")).toBeUndefined();
    expect(await text("file-2")).toBeUndefined();
  });

  test("that are damaged give what stands before the damage, and say where it is", async () => {
    const whole = JSON.stringify([chat("one"), chat("two")]);
    const found = await foundIn(new File([whole.slice(0, -40)], "conversations.json"));
    expect(found).toMatchObject([
      { chat: { title: "one" } },
      {
        type: "problem",
        name: "conversations.json",
        message: "It is damaged after chat 1, so what follows cannot be read.",
      },
    ]);
  });

  test.each([
    ["", "It is empty."],
    ["Not JSON", "It is not valid JSON, so what follows cannot be read."],
    ["[]x", "It is not valid JSON, so what follows cannot be read."],
    ['{"settings":1}', "Chat 1 couldn't be read: its format is unknown."],
  ])("such as %j are refused with a sentence", async (text, message) => {
    expect(await foundIn(new File([text], "x.json"))).toEqual([
      { type: "problem", name: "x.json", message },
    ]);
  });

  test("with a chat over the limit, or more than was declared, end with a sentence", {
    tags: "long",
  }, async () => {
    const limits = { ...readLimits, valueBytes: 2_000_000 };
    const file = jsonFile([{ ...chat("big"), title: "x".repeat(3_000_000) }]);
    expect(await Array.fromAsync(readFiles([file], { limits }))).toMatchObject([
      { message: "A chat in it is larger than 2 MB." },
    ]);
    const bomb = await zipOf({ "conversations.json": `[${" ".repeat(3_000_000)}]` });
    const small = { ...readLimits, bytes: 1_000_000 };
    expect(await Array.fromAsync(readFiles([bomb], { limits: small }))).toMatchObject([
      { type: "problem", message: "The files are too large when unpacked." },
    ]);
  });

  test("with any one field missing or of another kind are read, or said to be damaged", {
    tags: "long",
  }, async () => {
    const given = chat("one");
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 200 }),
        fc.constantFrom(undefined, null, 7, "x", [], {}),
        async (at, value) => {
          const changed = structuredClone(given) as unknown;
          let count = 0;
          const visit = (each: unknown): void => {
            if (typeof each !== "object" || each === null) return;
            for (const [key, inner] of Object.entries(each)) {
              if (count++ === at) Object.assign(each, { [key]: value });
              else visit(inner);
            }
          };
          visit(changed);
          for (const found of await foundIn(jsonFile([changed]))) {
            if (found.type === "chat") chatRecords(found.chat, () => null);
            else
              expect(found).toMatchObject({
                message: expect.stringMatching(/^Chat 1 (is|couldn't) /),
              });
          }
        },
      ),
    );
  });

  test("are read whatever optional field they lack", async () => {
    const given = chat("one") as Record<string, unknown>;
    for (const field of Object.keys(given).filter((name) => name !== "mapping")) {
      const { [field]: _, ...others } = given;
      expect(await foundIn(jsonFile([others]))).toMatchObject([{ type: "chat" }]);
    }
  });

  test("whose ids cannot be ids here come in under names of their own, the same each time", async () => {
    const hostile = chatGptChat(
      [
        { id: "__proto__", text: "One" },
        { id: "a b", parent: "__proto__", role: "assistant", text: "Two" },
        { id: "compaction_1", parent: "a b", text: "Three" },
      ],
      { conversation_id: "x".repeat(5_000) },
    );
    const read = async () => {
      const [found] = await foundIn(jsonFile([JSON.parse(JSON.stringify(hostile))]));
      return found?.type === "chat" ? chatRecords(found.chat, () => null) : null;
    };
    const records = await read();
    expect(records).toEqual(await read());
    expect(records?.id).toMatch(/^imported-[0-9a-z]+$/);
    expect({}).not.toHaveProperty("message");
  });
});
