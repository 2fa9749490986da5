import { describe, expect, test } from "vitest";
import { filesOf } from "./chat-records";
import { readClaude } from "./claude";
import { splitReasoning } from "./open-webui";
import { foundIn, jsonFile, outline } from "./testing/found-in";

describe("A chat of Claude", () => {
  const said = (uuid: string, sender: string, text: string, more: object = {}) => ({
    uuid,
    sender,
    text,
    content: [{ type: "text", text }],
    created_at: "2025-03-01T10:00:00.123Z",
    attachments: [],
    files: [],
    ...more,
  });
  const chat = {
    uuid: "c1",
    name: "Ponds",
    created_at: "2025-03-01T10:00:00Z",
    updated_at: "2025-03-02T10:00:00Z",
    account: { uuid: "u" },
  };
  const top = "00000000-0000-4000-8000-000000000000";

  test("keeps edits as branches", async () => {
    const chat_messages = [
      said("a", "human", "How deep?", { parent_message_uuid: top }),
      said("b", "assistant", "One metre.", { parent_message_uuid: "a" }),
      said("c", "human", "How deep in winter?", { parent_message_uuid: top }),
      said("d", "assistant", "Deeper.", { parent_message_uuid: "c" }),
    ];
    expect(await outline(jsonFile([{ ...chat, chat_messages }]))).toEqual([
      ["user: How deep?", "assistant: One metre."],
      ["user: How deep in winter?", "assistant: Deeper."],
    ]);
  });

  test("of before there were parents follows the order of its messages", async () => {
    const chat_messages = [said("a", "human", "Hi"), said("b", "assistant", "Hello")];
    expect(await outline(jsonFile([{ ...chat, chat_messages }]))).toEqual([
      ["user: Hi", "assistant: Hello"],
    ]);
  });

  test("has its thoughts, tool calls and the texts of its attachments", async () => {
    const chat_messages = [
      said("a", "human", "Read it", {
        attachments: [{ file_name: "notes.txt", extracted_content: "Fish." }],
        files: [{ file_name: "pond.png" }],
      }),
      said("b", "assistant", "", {
        content: [
          { type: "thinking", thinking: "Look it up." },
          { type: "tool_use", id: "t1", name: "web_search", input: { query: "pond" } },
          {
            type: "tool_result",
            tool_use_id: "t1",
            name: "web_search",
            content: [{ type: "text", text: "Found" }],
          },
          { type: "text", text: "Done." },
          { type: "token_budget" },
        ],
      }),
    ];
    expect(await outline(jsonFile([{ ...chat, chat_messages }]))).toEqual([
      [
        "user: notes.txt:\n\nFish. | Read it",
        'assistant: (Look it up.) | web_search({"query":"pond"}) → "Found" | Done.',
      ],
    ]);
    expect(filesOf(readClaude({ ...chat, chat_messages }))).toEqual([
      { id: "pond.png", name: "pond.png" },
    ]);
  });

  test("comes with what Claude remembered and the instructions of projects", async () => {
    const found = await foundIn(
      jsonFile([{ conversations_memory: "Likes fish." }], "memories.json"),
      jsonFile(
        [{ uuid: "p", name: "Pond", prompt_template: "Be exact.", docs: [] }],
        "projects.json",
      ),
    );
    expect(found).toEqual([
      { type: "instructions", texts: ["Likes fish."] },
      { type: "instructions", texts: ["Pond:\n\nBe exact."] },
    ]);
  });
});

describe("A chat of Open WebUI", () => {
  const message = (
    id: string,
    parentId: string | null,
    role: string,
    content: string,
    more = {},
  ) => ({
    [id]: { id, parentId, childrenIds: [], role, content, timestamp: 1_700_000_000, ...more },
  });
  const chat = (messages: object, more = {}) => ({
    id: "w1",
    title: "Weather",
    chat: { title: "Weather", models: ["llama"], history: { messages, currentId: "c" }, ...more },
    created_at: 1_700_000_000,
    updated_at: 1_700_000_010,
    archived: false,
    pinned: true,
    meta: { tags: ["home"] },
  });

  test("keeps its branches, its system prompt and its tags", async () => {
    const file = jsonFile([
      chat(
        {
          ...message("a", null, "user", "Rain?"),
          ...message("b", "a", "assistant", "Yes."),
          ...message("c", "a", "assistant", "No."),
        },
        { params: { system: "Be brief." } },
      ),
    ]);
    expect(await outline(file)).toEqual([
      ["system: Be brief.", ["user: Rain?", "assistant: Yes.", "assistant: No."]],
    ]);
    expect(await foundIn(file)).toMatchObject([{ chat: { tags: ["home"], isPinned: true } }]);
  });

  test("has its reasoning and calls from the items that newer versions keep", async () => {
    const output = [
      { type: "reasoning", content: [{ type: "output_text", text: "Hm." }] },
      { type: "function_call", call_id: "1", name: "rain", arguments: '{"city":"Rome"}' },
      { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "dry" }] },
      { type: "message", content: [{ type: "output_text", text: "It is dry." }] },
    ];
    const messages = {
      ...message("a", null, "user", "Rain?"),
      ...message("c", "a", "assistant", "It is dry.", { output }),
    };
    expect(await outline(jsonFile([chat(messages)]))).toEqual([
      ["user: Rain?", 'assistant: (Hm.) | rain({"city":"Rome"}) → "dry" | It is dry.'],
    ]);
  });

  test("has its reasoning and calls from the text that older versions keep", () => {
    expect(
      splitReasoning(
        '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n&gt; 2 &lt; 3\n&gt; so yes\n</details>\n<details type="tool_calls" done="true" id="1" name="rain" arguments="{&quot;city&quot;:&quot;Rome&quot;}" result="&quot;dry&quot;">\n<summary>Tool Executed</summary>\n</details>\nYes.',
      ),
    ).toMatchObject([
      { type: "reasoning", text: "2 < 3\nso yes" },
      { type: "dynamic-tool", toolName: "rain", input: { city: "Rome" } },
      { output: "dry" },
      { type: "text", text: "Yes." },
    ]);
  });
});

describe("A chat of LibreChat", () => {
  const said = (messageId: string, isCreatedByUser: boolean, text: string, more: object = {}) => ({
    messageId,
    isCreatedByUser,
    text,
    createdAt: "2024-05-01T16:35:11.530Z",
    ...more,
  });
  const none = "00000000-0000-0000-0000-000000000000";
  const chat = { conversationId: "l1", endpoint: "openAI", title: "Python", branches: true };

  test("is read as a tree and as a list", async () => {
    const expected = [["user: Hi", ["assistant: Hello", "user: Thanks"], "assistant: Hey"]];
    const children = [
      said("b", false, "Hello", { children: [said("d", true, "Thanks")] }),
      said("c", false, "Hey"),
    ];
    const tree = { ...chat, recursive: true, messages: [said("a", true, "Hi", { children })] };
    expect(await outline(jsonFile(tree))).toEqual(expected);
    const messages = [
      said("a", true, "Hi", { parentMessageId: none }),
      said("b", false, "Hello", { parentMessageId: "a" }),
      said("c", false, "Hey", { parentMessageId: "a" }),
      said("d", true, "Thanks", { parentMessageId: "b" }),
    ];
    expect(await outline(jsonFile({ ...chat, recursive: false, messages }))).toEqual(expected);
  });

  test("has its instructions, thoughts and calls", async () => {
    const content = [
      { type: "think", think: "Hm." },
      { type: "tool_call", tool_call: { id: "1", name: "sum", args: '{"a":1}', output: "1" } },
      { type: "text", text: { value: "One." } },
    ];
    const messages = [
      said("a", true, "Sum?", { parentMessageId: none }),
      said("b", false, "", { parentMessageId: "a", content }),
    ];
    const file = jsonFile({ ...chat, options: { promptPrefix: "Add." }, messages });
    expect(await outline(file)).toEqual([
      ["system: Add.", ["user: Sum?", 'assistant: (Hm.) | sum({"a":1}) → 1 | One.']],
    ]);
  });
});

describe("Messages of the AI SDK", () => {
  test("are one chat, with tool calls of today and of before", async () => {
    const file = jsonFile(
      [
        { id: "1", role: "user", parts: [{ type: "text", text: "Rain?" }] },
        {
          id: "2",
          role: "assistant",
          parts: [
            { type: "step-start" },
            {
              type: "tool-rain",
              toolCallId: "x",
              state: "output-available",
              input: {},
              output: "no",
            },
            {
              type: "tool-invocation",
              toolInvocation: { toolCallId: "y", toolName: "sun", args: {}, result: "yes" },
            },
            { type: "text", text: "No." },
          ],
        },
        { role: "user", content: "Thanks" },
      ],
      "weather.json",
    );
    expect(await outline(file)).toEqual([
      ["user: Rain?", ['assistant: rain({}) → "no" | sun({}) → "yes" | No.', "user: Thanks"]],
    ]);
  });
});

describe("A Markdown file", () => {
  test("that Grove exported is the chat again", async () => {
    const file = new File(
      [
        "# Bread\n\n\n## You · 2026-01-31T10:00:00.000Z\n\n  Which flour?\n\nRye?\n\n## Assistant · 2026-01-31T10:00:05.000Z\n\nRye.\n\n```md\n## You\n```\n",
      ],
      "bread.md",
    );
    expect(await outline(file)).toEqual([
      ["user:   Which flour?\n\nRye?", "assistant: Rye.\n\n```md\n## You\n```"],
    ]);
    expect(await foundIn(file)).toMatchObject([{ chat: { title: "Bread" } }]);
  });

  test("with names before colons is a chat, and a sentence that begins with a name is not one", async () => {
    const file = new File(["**User:** Hi\n\n**ChatGPT:**\nYou are early.\nAI: Really"], "x.md");
    expect(await outline(file)).toEqual([["user: Hi", "assistant: You are early. | Really"]]);
  });

  test("without speakers is one message, and says so", async () => {
    expect(await foundIn(new File(["Some notes."], "notes.md"))).toMatchObject([
      {
        chat: {
          title: "notes",
          losses: [
            "No speakers were found: the text is one message of yours.",
            "It holds no times, so it has the time of its file.",
          ],
        },
      },
    ]);
  });
});
