import { callId, type ExportFile, type Piece, type ToldChat, type ToldMessage } from "./told-chat";

/** Exports of texts alone, without parents. */
export function claude2024(chats: readonly ToldChat[]): readonly ExportFile[] {
  const values = chats.map((chat) => chatOf(chat, ({ pieces }) => ({ text: textOf(pieces) })));
  return [{ name: "conversations.json", text: JSON.stringify(values) }];
}

/** Blocks of content, parents, and users, projects and memories beside the chats. */
export function claude2025(chats: readonly ToldChat[]): readonly ExportFile[] {
  const values = chats.map((chat) =>
    chatOf(chat, ({ pieces, parentId, at }) => {
      const content = pieces.flatMap((piece) => blocksOf(piece, at.toISOString()));
      const parent = parentId ?? "00000000-0000-4000-8000-000000000000";
      return { text: textOf(pieces), content, parent_message_uuid: parent };
    }),
  );
  return [
    { name: "conversations.json", text: JSON.stringify(values) },
    { name: "users.json", text: '[{"uuid":"u","full_name":"N"}]' },
    { name: "memories.json", text: '[{"conversations_memory":"Likes fish.","account_uuid":"u"}]' },
  ];
}

function chatOf(chat: ToldChat, fields: (message: ToldMessage) => object) {
  return {
    uuid: chat.id,
    name: chat.title,
    summary: "",
    created_at: microseconds(chat.createdAt),
    updated_at: microseconds(chat.updatedAt),
    account: { uuid: "u" },
    current_leaf_message_uuid: chat.shownId,
    chat_messages: chat.messages.map((message) => ({
      uuid: message.id,
      sender: message.role === "user" ? "human" : "assistant",
      created_at: microseconds(message.at),
      updated_at: microseconds(message.at),
      attachments: filesOf(message.pieces).map(({ word }, at) => ({
        file_name: `${word}.txt`,
        file_size: 3,
        file_type: "txt",
        extracted_content: at % 2 === 0 ? "Fish." : "",
      })),
      files: [],
      ...fields(message),
    })),
  };
}

const microseconds = (at: Date) => at.toISOString().replace("000Z", "000123Z");

const filesOf = (pieces: readonly Piece[]) => pieces.filter(({ kind }) => kind === "file");

const textOf = (pieces: readonly Piece[]) =>
  pieces.flatMap(({ kind, text }) => (kind === "text" ? [text] : [])).join("\n");

function blocksOf({ kind, word, text }: Piece, at: string): object[] {
  const times = { start_timestamp: at, stop_timestamp: at, flags: null };
  const result = { type: "tool_result", tool_use_id: callId(word), name: "web_search", ...times };
  const source = { type: "knowledge", title: text, url: "https://a.example/", text: "Found" };
  const use = { type: "tool_use", id: callId(word), name: "web_search", ...times };
  switch (kind) {
    case "text":
      return [{ type: "text", text, citations: [], ...times }];
    case "thought":
      return [{ type: "thinking", thinking: text, summaries: [], cut_off: false, ...times }];
    case "call":
      return [
        { ...use, input: { query: text } },
        { ...result, content: [source], is_error: false },
        { type: "token_budget" },
      ];
    case "failed":
      return [
        { ...use, input: {} },
        { ...result, content: [source], is_error: true },
      ];
    case "odd":
      return [{ type: "artifact", body: text, ...times }];
    case "file":
    case "held":
      return [];
  }
}
