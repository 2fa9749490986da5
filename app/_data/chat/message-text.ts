import { type AttachedFile, attachedFile } from "@/lib/chat/wire/files";
import type { GroveMessage } from "@/lib/chat/wire/messages";

export function messageText(message: GroveMessage): string {
  return message.parts
    .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []))
    .join("\n\n");
}

export function messageFiles(message: GroveMessage): AttachedFile[] {
  return message.parts.flatMap((part) => attachedFile(part) ?? []);
}
