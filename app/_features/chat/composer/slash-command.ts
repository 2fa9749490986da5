import type { PromptWire } from "@/lib/chat/wire/prompts";

export type SlashCommandName = "compact" | "fork" | "find" | "search" | "new";

export interface SlashCommand {
  readonly name: SlashCommandName;
  readonly description: string;
  readonly argument: string | null;
}

const slashCommands: readonly SlashCommand[] = [
  { name: "compact", description: "Summarize older messages to free up space", argument: "focus" },
  { name: "fork", description: "Continue in a new chat", argument: null },
  { name: "find", description: "Find in this chat, on every branch", argument: "words" },
  { name: "search", description: "Search chats, messages and memory", argument: "words" },
  { name: "new", description: "Start a new chat", argument: null },
];

export type MenuEntry =
  | SlashCommand
  | {
      readonly name: string;
      readonly description: string;
      readonly argument: null;
      readonly text: string;
    };

export function matchingPrompts(
  draft: string,
  prompts: readonly PromptWire[],
): readonly MenuEntry[] {
  const typed = /^\/([\p{L}\p{N}-]*)$/u.exec(draft)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  return prompts
    .filter(({ name }) => name.toLowerCase().startsWith(typed))
    .slice(0, 8)
    .map(({ name, text }) => ({ name, description: text.slice(0, 80), argument: null, text }));
}

export type ComposerPlace = "new-chat" | "beginning" | "path";

const refusals: Record<ComposerPlace, Partial<Record<SlashCommandName, string>>> = {
  "new-chat": {
    compact: "Nothing to summarize yet.",
    fork: "Nothing to fork yet.",
    find: "Nothing to search yet. Use /search to search all chats.",
  },
  beginning: {
    compact: "Nothing to summarize before the first message.",
    fork: "Nothing to fork before the first message.",
  },
  path: {},
};

export function refusalOf(name: SlashCommandName, place: ComposerPlace): string | null {
  return refusals[place][name] ?? null;
}

export function matchingCommands(draft: string, place: ComposerPlace): readonly SlashCommand[] {
  const typed = /^\/([a-z]*)$/.exec(draft)?.[1];
  if (typed === undefined) return [];
  return slashCommands.filter(
    ({ name }) => name.startsWith(typed) && refusalOf(name, place) === null,
  );
}

export function readCommand(
  draft: string,
): { readonly name: SlashCommandName; readonly argument: string } | null {
  const [, typed, argument] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(draft.trim()) ?? [];
  const command = slashCommands.find(({ name }) => name === typed);
  return command ? { name: command.name, argument: (argument ?? "").trim() } : null;
}
