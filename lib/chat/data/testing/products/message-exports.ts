import { pixelUrl } from "./local-exports";
import { callId, type ExportFile, type Piece, type ToldChat, type ToldMessage } from "./told-chat";

/** Messages of the AI SDK, older calls among them. */
export function messages([chat]: readonly ToldChat[]): readonly ExportFile[] {
  const said = chat?.messages.map(({ id, role, at, pieces }) => ({
    ...{ id, role, createdAt: at },
    parts: pieces.flatMap(partsOf),
  }));
  return [{ name: `${chat?.title}.json`, text: JSON.stringify(said) }];
}

function partsOf({ kind, word, text }: Piece, at: number): object[] {
  const call = { type: "dynamic-tool", toolName: "rain", toolCallId: callId(word) };
  switch (kind) {
    case "text":
    case "file":
      return [{ type: "step-start" }, { type: "text", text, state: "done" }];
    case "thought":
      return [{ type: "reasoning", text }];
    case "call": {
      const old = {
        state: "result",
        toolName: "sun",
        toolCallId: callId(word),
        args: { text },
        result: 1,
      };
      if (at % 2 === 0) return [{ type: "tool-invocation", toolInvocation: old }];
      return [{ ...call, state: "output-available", input: { text }, output: "dry" }];
    }
    case "failed":
      return [{ ...call, state: "output-error", input: {}, errorText: text }];
    case "held":
      return [{ type: "file", mediaType: "image/png", url: pixelUrl(word) }];
    case "odd":
      return [{ type: "data-chart", data: { text } }];
  }
}

/** The body of a request, as programs keep it. */
export function completions([chat]: readonly ToldChat[]): readonly ExportFile[] {
  const said = chat?.messages.flatMap(completionsOf);
  return [{ name: `${chat?.title}.json`, text: JSON.stringify({ messages: said }) }];
}

function completionsOf({ role, pieces }: ToldMessage): object[] {
  if (role === "user") return [{ role, content: pieces.flatMap(contentOf) }];
  return pieces.flatMap(({ kind, word, text }): object[] => {
    const called = { name: "rain", arguments: JSON.stringify({ text }) };
    switch (kind) {
      case "call":
        return [
          {
            role,
            content: null,
            tool_calls: [{ id: callId(word), type: "function", function: called }],
          },
          { role: "tool", tool_call_id: callId(word), content: "dry" },
        ];
      case "thought":
        return [{ role, content: "", reasoning_content: text }];
      case "odd":
        return [{ role, content: [{ type: "input_audio", input_audio: { data: text } }] }];
      default:
        return [{ role, content: text }];
    }
  });
}

function contentOf({ kind, word, text }: Piece): object[] {
  if (kind === "held") return [{ type: "image_url", image_url: { url: pixelUrl(word) } }];
  if (kind === "odd") return [{ type: "input_audio", input_audio: { data: word, format: "wav" } }];
  return [{ type: "text", text }];
}

const head = /^(\\*)(?=## (You|Assistant|System) · \d{4}-)/gm;

export function groveMarkdown([chat]: readonly ToldChat[]): readonly ExportFile[] {
  const said = chat?.messages.map(({ role, at, pieces }) => {
    const texts = pieces.map(({ text }) => text.replace(head, "\\$1"));
    const name = role === "user" ? "You" : "Assistant";
    return `\n## ${name} · ${at.toISOString()}\n\n${texts.join("\n\n")}\n`;
  });
  return [{ name: "chat.md", text: `# ${chat?.title}\n\n${said?.join("\n")}` }];
}

export function markdown([chat]: readonly ToldChat[]): readonly ExportFile[] {
  const said = chat?.messages.map(({ role, pieces }) => {
    const name = role === "user" ? "**User:**" : "**ChatGPT:**";
    return `${name} ${pieces.map(({ text }) => text).join("\n")}`;
  });
  return [{ name: `${chat?.title}.md`, text: said?.join("\n\n") ?? "" }];
}
