import { describe, expect, test } from "vitest";
import { splitReasoning } from "./open-webui";
import { foundIn, jsonFile, outline } from "./testing/found-in";

describe("A chat of Claude", () => {
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

describe("A Markdown file", () => {
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
