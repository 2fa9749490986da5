import type { GroveMessage } from "@/lib/chat/wire/messages";

/** What a message says, without reasoning and tools: what is copied, edited and read out. */
export function messageText(message: GroveMessage): string {
  return message.parts
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
}
