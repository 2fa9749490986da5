import type { GroveMessage } from "@/lib/chat/wire/messages";

/** Text without reasoning and tools, for copying, editing and reading out. */
export function messageText(message: GroveMessage): string {
  return message.parts
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
}
