import type { MemoryMode } from "@/lib/chat/wire/sessions";

/** The ways a model may write memory, as they are chosen. */
export const memoryModes = [
  { value: "on", label: "On" },
  { value: "ask", label: "Ask me first" },
  { value: "off", label: "Off" },
] as const satisfies readonly { value: MemoryMode; label: string }[];

/** What each way means for a session. */
export const memoryModeNotes: Record<MemoryMode, string> = {
  on: "The model notes what is worth keeping as you talk.",
  ask: "The model proposes; each write waits until you accept it.",
  off: "The model reads its memory but writes nothing in this session.",
};
