import type { MemoryMode } from "@/lib/chat/wire/sessions";

/** The mode that stored settings name, of a session or of its owner; on when they name none. */
export function memoryModeIn({ memoryMode }: Readonly<Record<string, unknown>>): MemoryMode {
  return memoryMode === "off" || memoryMode === "ask" ? memoryMode : "on";
}
