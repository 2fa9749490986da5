import { callId, type ExportFile, type Piece, type ToldChat, type ToldMessage } from "./told-chat";

export const pixelUrl = (word: string) =>
  `data:image/png;base64,${Buffer.from(`\x89PNG ${word}`).toString("base64")}`;

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

const textsOf = (pieces: readonly Piece[]) =>
  pieces.flatMap(({ kind, text }) => (kind === "text" ? [text] : []));

/** Items of the Responses API stand beside the text, or thoughts and calls in it, as HTML. */
export const openWebUi =
  ({ hasItems }: { hasItems: boolean }) =>
  (chats: readonly ToldChat[]): readonly ExportFile[] => {
    const values = chats.map((chat) => ({
      id: chat.id,
      user_id: "u",
      title: chat.title,
      chat: {
        title: chat.title,
        models: ["llama"],
        params: {},
        files: [],
        history: {
          messages: Object.fromEntries(
            chat.messages.map((message) => [message.id, webUiMessage(message, { hasItems })]),
          ),
          currentId: chat.shownId,
        },
        tags: [],
        timestamp: chat.createdAt.getTime(),
      },
      updated_at: seconds(chat.updatedAt),
      created_at: seconds(chat.createdAt),
      share_id: null,
      archived: false,
      pinned: false,
      meta: {},
      folder_id: null,
    }));
    return [{ name: "chat-export-1.json", text: JSON.stringify(values) }];
  };

function webUiMessage(
  { id, parentId, role, at, pieces }: ToldMessage,
  { hasItems }: { hasItems: boolean },
) {
  const files = pieces.flatMap(({ kind, word }): object[] => {
    if (kind === "held") return [{ type: "image", url: pixelUrl(word) }];
    return kind === "file"
      ? [{ type: "file", id: word, name: `${word}.pdf`, file: { id: word } }]
      : [];
  });
  const isAnswer = role === "assistant";
  const html = pieces.map(({ kind, text }) => {
    if (kind === "thought") return details(`type="reasoning" done="true"`, `> ${text}`);
    if (kind === "call")
      return details(
        `type="tool_calls" done="true" id="c" name="rain" arguments="&quot;${text}&quot;"`,
        "",
      );
    return kind === "text" ? text : "";
  });
  const output = pieces.flatMap(itemsOf);
  return {
    id,
    parentId,
    childrenIds: [],
    role,
    content: isAnswer && !hasItems ? html.join("\n") : webUiContent(pieces, isAnswer),
    timestamp: seconds(at),
    ...(files.length > 0 && { files }),
    ...(isAnswer && { model: "llama", done: true, ...(hasItems && { output }) }),
    ...(isAnswer && { usage: { total_tokens: 1 }, statusHistory: [], followUps: [] }),
  };
}

function webUiContent(pieces: readonly Piece[], isAnswer: boolean): unknown {
  const hasOdd = !isAnswer && pieces.some(({ kind }) => kind === "odd");
  if (!hasOdd) return textsOf(pieces).join("\n");
  return [{ type: "web_search_call" }, ...textsOf(pieces).map((text) => ({ type: "text", text }))];
}

const details = (attributes: string, inner: string) =>
  `<details ${attributes}>\n<summary>Done</summary>\n${inner}\n</details>\n`;

function itemsOf({ kind, word, text }: Piece): object[] {
  switch (kind) {
    case "thought":
      return [{ type: "reasoning", content: [{ type: "output_text", text }] }];
    case "call":
      return [
        {
          type: "function_call",
          call_id: callId(word),
          name: "rain",
          arguments: JSON.stringify({ text }),
        },
        {
          type: "function_call_output",
          call_id: callId(word),
          output: [{ type: "input_text", text: "dry" }],
        },
      ];
    case "odd":
      return [{ type: "web_search_call", action: { query: text } }];
    case "text":
      return [{ type: "message", content: [{ type: "output_text", text }] }];
    case "failed":
    case "file":
    case "held":
      return [];
  }
}

/** The download of one chat. */
export const libreChat =
  ({ isTree }: { isTree: boolean }) =>
  ([chat]: readonly ToldChat[]): readonly ExportFile[] => {
    if (!chat) return [];
    const listed = chat.messages.map((message) => ({
      ...libreMessage(message),
      parentMessageId: message.parentId ?? "00000000-0000-0000-0000-000000000000",
    }));
    const under = (parentId: string | null): object[] =>
      chat.messages
        .filter((message) => message.parentId === parentId)
        .map((message) => ({ ...libreMessage(message), children: under(message.id) }));
    const value = {
      conversationId: chat.id,
      endpoint: "agents",
      title: chat.title,
      exportAt: "12:00:00 GMT+0000",
      branches: true,
      recursive: isTree,
      options: { model: "gpt-4o" },
      ...(isTree ? { messagesTree: under(null) } : { messages: listed }),
    };
    return [{ name: `${chat.title}.json`, text: JSON.stringify(value) }];
  };

function libreMessage({ id, role, at, pieces }: ToldMessage) {
  const files = pieces.flatMap(({ kind, word }) =>
    kind === "file" ? [{ file_id: word, filename: `${word}.pdf`, type: "application/pdf" }] : [],
  );
  const isPlain = pieces.every(({ kind }) => kind === "text" || kind === "file");
  return {
    messageId: id,
    sender: role === "user" ? "User" : "GPT",
    isCreatedByUser: role === "user",
    text: isPlain ? textsOf(pieces).join("\n") : "",
    ...(!isPlain && { content: pieces.flatMap(libreBlocks) }),
    error: false,
    unfinished: false,
    createdAt: at.toISOString(),
    ...(files.length > 0 && { files }),
  };
}

function libreBlocks({ kind, word, text }: Piece): object[] {
  switch (kind) {
    case "text":
      return [{ type: "text", text: { value: text } }];
    case "thought":
      return [{ type: "think", think: text }];
    case "call": {
      const call = { id: callId(word), name: "sum", args: JSON.stringify({ text }), output: "1" };
      return [{ type: "tool_call", tool_call: { type: "tool_call", ...call } }];
    }
    case "failed": {
      const called = { name: "sum", arguments: "{}", output: text };
      return [
        { type: "tool_call", tool_call: { id: callId(word), type: "function", function: called } },
      ];
    }
    case "odd":
      return [{ type: "video_url", video_url: { url: text } }];
    case "file":
    case "held":
      return [];
  }
}
