import type { MemoryMode } from "@/lib/chat/wire/sessions";

export const memoryModes = [
  { value: "on", label: "Always" },
  { value: "ask", label: "Ask first" },
  { value: "off", label: "Never" },
] as const satisfies readonly { value: MemoryMode; label: string }[];

export const memoryModeNotes: Record<MemoryMode, string> = {
  on: "Saves useful details automatically.",
  ask: "Suggests changes for you to accept.",
  off: "Reads memory but never changes it in this chat.",
};
