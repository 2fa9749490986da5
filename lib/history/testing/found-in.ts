import { chatRecords } from "@/lib/history/chat-records";
import { type Found, readFiles } from "@/lib/history/read-files";

export function jsonFile(value: unknown, name = "conversations.json"): File {
  return new File([JSON.stringify(value)], name);
}

export async function foundIn(...files: File[]): Promise<Found[]> {
  return Array.fromAsync(readFiles(files));
}

/** Texts of a file's only chat as a tree: each message with those that follow it. */
export async function outline(...files: File[]): Promise<unknown> {
  const [found] = await foundIn(...files);
  if (found?.type !== "chat") throw new Error(`No chat: ${JSON.stringify(found)}`);
  const records = chatRecords(found.chat, () => null);
  const messages = (records?.lines ?? [])
    .map((line) => JSON.parse(line) as MessageLine)
    .filter(({ type }) => type === "message");
  const under = (id: string | null): unknown[] =>
    messages
      .filter(({ parentId }) => parentId === id)
      .map((message) => {
        const shown = `${message.role}: ${message.content.parts.map(shownPart).join(" | ")}`;
        const following = under(message.id);
        return following.length === 0 ? shown : [shown, ...following];
      });
  return under(null);
}

interface MessageLine {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly role: string;
  readonly content: { readonly parts: readonly Record<string, unknown>[] };
}

function shownPart(part: Record<string, unknown>): string {
  if (part.type === "text") return String(part.text);
  if (part.type === "reasoning") return `(${part.text})`;
  const result = part.output ?? part.errorText ?? "no result";
  return `${part.toolName}(${JSON.stringify(part.input)}) → ${JSON.stringify(result)}`;
}
