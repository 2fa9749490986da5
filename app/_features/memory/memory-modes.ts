import type { MemoryMode } from "@/lib/chat/wire/sessions";

/** The ways a model may write memory, as they are chosen. */
export const memoryModes = [
  { value: "on", label: "Always" },
  { value: "ask", label: "Ask first" },
  { value: "off", label: "Never" },
] as const satisfies readonly { value: MemoryMode; label: string }[];

/** What each way means for a session. */
export const memoryModeNotes: Record<MemoryMode, string> = {
  on: "Saves useful details automatically.",
  ask: "Suggests changes for you to accept.",
  off: "Reads memory but never changes it in this chat.",
};
