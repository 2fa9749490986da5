import type { MemoryMode } from "@/lib/chat/wire/sessions";

/** The mode in stored settings of a session or owner; on by default. */
export function memoryModeIn({ memoryMode }: Readonly<Record<string, unknown>>): MemoryMode {
  return memoryMode === "off" || memoryMode === "ask" ? memoryMode : "on";
}
