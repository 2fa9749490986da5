import { describe, expect, test } from "vitest";
import { chatRecords, filesOf } from "./chat-records";
import { readChatGpt } from "./chatgpt";
import { chatGptChat } from "./testing/chatgpt-export";
import { foundIn, jsonFile, outline } from "./testing/found-in";

const edited = chatGptChat([
  { id: "root" },
  { id: "q", parent: "root", text: "Which tree?" },
  { id: "a1", parent: "q", role: "assistant", text: "An oak.", at: 1_700_000_001 },
  { id: "a2", parent: "q", role: "assistant", text: "A maple.", at: 1_700_000_002 },
  { id: "q2", parent: "a1", text: "How tall?" },
  { id: "a3", parent: "q2", role: "assistant", text: "20 m." },
]);

describe("A chat of ChatGPT", () => {
  test("opens where the person left it, with its title, times and models", () => {
    const chat = chatGptChat([
      { id: "q", text: "One?" },
      { id: "a1", parent: "q", role: "assistant", text: "First", at: 5 },
      { id: "a2", parent: "q", role: "assistant", text: "Second", at: 6 },
    ]);
    const records = chatRecords(
      readChatGpt({ ...chat, current_node: "a1", is_archived: true }),
      () => null,
    );
    const [session, , answer] = (records?.lines ?? []).map((line) => JSON.parse(line));
    expect(session).toMatchObject({
      title: "Gardens",
      source: "ChatGPT",
      activeLeafId: "a1",
      leafIds: ["a2", "a1"],
      createdAt: "2023-11-14T22:13:20.500Z",
      updatedAt: "2023-11-14T22:15:00.250Z",
      archivedAt: "2023-11-14T22:15:00.250Z",
    });
    expect(answer).toMatchObject({
      content: { metadata: { model: "gpt-4o", status: "complete" } },
    });
    expect(records).toMatchObject({ branches: 2, messages: 3 });
  });

  test("is one message where an answer had steps, each call with its result", async () => {
    const file = jsonFile([
      chatGptChat([
        { id: "q", text: "2 + 2?" },
        {
          id: "t",
          parent: "q",
          role: "assistant",
          content: { content_type: "thoughts", thoughts: [{ summary: "Sum", content: "Add." }] },
        },
        {
          id: "c",
          parent: "t",
          role: "assistant",
          content: { content_type: "code", language: "python", text: "2 + 2" },
          message: { recipient: "python" },
        },
        {
          id: "r",
          parent: "c",
          role: "tool",
          content: { content_type: "execution_output", text: "4" },
          message: { author: { role: "tool", name: "python" } },
        },
        { id: "a", parent: "r", role: "assistant", text: "It is 4." },
      ]),
    ]);
    expect(await outline(file)).toEqual([
      ["user: 2 + 2?", 'assistant: (**Sum**\n\nAdd.) | python({"text":"2 + 2"}) → "4" | It is 4.'],
    ]);
  });

  test("leaves out what ChatGPT hid, and keeps what follows it", async () => {
    const file = jsonFile([
      chatGptChat([
        { id: "root" },
        { id: "s", parent: "root", role: "system", text: "" },
        {
          id: "hidden",
          parent: "s",
          role: "system",
          text: "Original custom instructions no longer available",
          message: { metadata: { is_visually_hidden_from_conversation: true } },
        },
        { id: "q", parent: "hidden", text: "Hello" },
      ]),
    ]);
    expect(await outline(file)).toEqual(["user: Hello"]);
  });

  test("gives the custom instructions it was held under", () => {
    const chat = readChatGpt(
      chatGptChat([
        {
          id: "i",
          content: {
            content_type: "user_editable_context",
            user_profile: "I garden.",
            user_instructions: "Be brief.",
          },
        },
        { id: "q", parent: "i", text: "Hello" },
      ]),
    );
    expect(chat.instructions).toEqual(["I garden.", "Be brief."]);
  });

  test("has its files from the zip, and names those that are not in it", () => {
    const chat = readChatGpt(
      chatGptChat([
        {
          id: "q",
          content: {
            content_type: "multimodal_text",
            parts: [
              { content_type: "image_asset_pointer", asset_pointer: "sediment://file_0a" },
              "This?",
            ],
          },
          message: { metadata: { attachments: [{ id: "file-1b", name: "leaf.pdf" }] } },
        },
      ]),
    );
    const records = chatRecords(chat, ({ id }) =>
      id === "file_0a" ? { type: "file", url: "grove-file:0a", mediaType: "image/png" } : null,
    );
    expect(filesOf(chat)).toEqual([
      { id: "file-1b", name: "leaf.pdf" },
      { id: "file_0a", name: "" },
    ]);
    expect(JSON.parse(records?.lines[1] ?? "").content.parts).toEqual([
      { type: "file", url: "grove-file:0a", mediaType: "image/png" },
      { type: "text", text: "This?" },
    ]);
    expect(records?.losses).toEqual(["Files are not in the export: “leaf.pdf”."]);
  });

  test("is reported by its title when it is damaged, and the others are read", async () => {
    const found = await foundIn(jsonFile([{ title: "Broken", mapping: 3 }, edited]));
    expect(found).toMatchObject([
      { type: "problem", name: "Broken", message: "Chat 1 is damaged: parts of it are missing." },
      { type: "chat", chat: { title: "Gardens" } },
    ]);
  });
});
