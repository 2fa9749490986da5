import { chatGptChat } from "@/lib/history/testing/chatgpt-export";

export interface ExportFile {
  readonly name: string;
  readonly text: string;
}

const said = [
  { id: "top" },
  { id: "q", parent: "top", text: "Which tree?" },
  { id: "a1", parent: "q", role: "assistant", text: "An oak.", at: 1_700_000_001 },
  { id: "a2", parent: "q", role: "assistant", text: "A maple.", at: 1_700_000_002 },
  {
    id: "p",
    parent: "a1",
    content: {
      content_type: "multimodal_text",
      parts: [
        { content_type: "image_asset_pointer", asset_pointer: "file-service://file-1" },
        "This?",
      ],
    },
  },
  { id: "c", parent: "p", role: "assistant", content: { content_type: "code", text: "search()" } },
  { id: "t", parent: "c", role: "tool", content: { content_type: "tether_quote", text: "Found" } },
];

const claudeMessages = [
  ["a", "human", "How deep?"],
  ["b", "assistant", "One metre."],
  ["c", "human", "In winter?"],
].map(([uuid, sender, text], at) => ({
  uuid,
  sender,
  text,
  content: [
    { type: "thinking", thinking: "Look it up." },
    { type: "tool_use", id: "t1", name: "web_search", input: { query: "pond" } },
    {
      type: "tool_result",
      tool_use_id: "t1",
      name: "web_search",
      content: [{ type: "text", text }],
    },
    { type: "text", text },
  ],
  parent_message_uuid: at === 0 ? null : "a",
  created_at: "2025-03-01T10:00:00.123Z",
  attachments: [{ file_name: "notes.txt", extracted_content: "Fish." }],
  files: [{ file_name: "pond.png" }],
}));

const claudeChat = {
  uuid: "c1",
  name: "Ponds",
  created_at: "2025-03-01T10:00:00Z",
  updated_at: "2025-03-02T10:00:00Z",
  account: { uuid: "u" },
  chat_messages: claudeMessages,
};

const webUiMessage = { childrenIds: [], timestamp: 1_700_000_000 };
const webUiOutput = [
  { type: "reasoning", content: [{ type: "output_text", text: "Hm." }] },
  { type: "function_call", call_id: "1", name: "rain", arguments: '{"city":"Rome"}' },
  { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "dry" }] },
];
const webUiChat = {
  id: "w1",
  title: "Weather",
  chat: {
    models: ["llama"],
    params: { system: "Be brief." },
    history: {
      messages: {
        a: { ...webUiMessage, id: "a", parentId: null, role: "user", content: "Rain?" },
        b: { ...webUiMessage, id: "b", parentId: "a", role: "assistant", content: "Yes." },
        c: {
          ...webUiMessage,
          id: "c",
          parentId: "a",
          role: "assistant",
          content: "",
          output: webUiOutput,
        },
      },
      currentId: "c",
    },
  },
  created_at: 1_700_000_000,
  updated_at: 1_700_000_010,
  archived: false,
  pinned: true,
  meta: { tags: ["home"] },
};

const libreMessage = { createdAt: "2024-05-01T16:35:11.530Z" };
const libreChat = {
  conversationId: "l1",
  endpoint: "openAI",
  title: "Python",
  options: { promptPrefix: "Add." },
  messages: [
    { ...libreMessage, messageId: "a", isCreatedByUser: true, text: "Hi", parentMessageId: null },
    {
      ...libreMessage,
      messageId: "b",
      isCreatedByUser: false,
      text: "",
      parentMessageId: "a",
      content: [
        { type: "think", think: "Hm." },
        { type: "tool_call", tool_call: { id: "1", name: "sum", args: '{"a":1}', output: "1" } },
        { type: "text", text: { value: "One." } },
      ],
    },
  ],
};

const messageList = [
  { id: "1", role: "user", parts: [{ type: "text", text: "Rain?" }] },
  {
    id: "2",
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "tool-rain", toolCallId: "x", state: "output-available", input: {}, output: "no" },
      { type: "text", text: "No." },
    ],
  },
  { role: "user", content: "Thanks" },
];

const markdown =
  "# Bread\n\n\n## You · 2026-01-31T10:00:00.000Z\n\n  Which flour?\n\nRye?\n\n## Assistant · 2026-01-31T10:00:05.000Z\n\nRye.\n";

const jsonFile = (name: string, value: unknown): ExportFile => ({
  name,
  text: JSON.stringify(value),
});

export const foreignExports: readonly [ExportFile, ...ExportFile[]] = [
  jsonFile("conversations.json", [
    chatGptChat(said),
    chatGptChat(said.slice(0, 3), { id: "2", conversation_id: "2" }),
  ]),
  jsonFile("conversations.json", [claudeChat]),
  jsonFile("memories.json", [{ conversations_memory: "Likes fish." }]),
  jsonFile("projects.json", [{ uuid: "p", name: "Pond", prompt_template: "Be exact.", docs: [] }]),
  jsonFile("chats.json", [webUiChat]),
  jsonFile("chat.json", libreChat),
  jsonFile("weather.json", messageList),
  { name: "bread.md", text: markdown },
];
