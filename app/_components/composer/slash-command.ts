/** What can be asked for by a word in the composer instead of a message. */
export type SlashCommandName = "compact" | "fork" | "find" | "search" | "new";

export interface SlashCommand {
  readonly name: SlashCommandName;
  readonly description: string;
  /** What may follow the name. */
  readonly argument: string | null;
}

export const slashCommands: readonly SlashCommand[] = [
  { name: "compact", description: "Summarize older messages to make room", argument: "focus" },
  { name: "fork", description: "Continue from here in a session of its own", argument: null },
  { name: "find", description: "Find in this session, on every branch", argument: "words" },
  { name: "search", description: "Search sessions, messages and memory", argument: "words" },
  { name: "new", description: "Start a new chat", argument: null },
];

/** The commands whose name `draft` may still become; none once it is a message. */
export function matchingCommands(
  draft: string,
  available: readonly SlashCommand[],
): readonly SlashCommand[] {
  const typed = /^\/([a-z]*)$/.exec(draft)?.[1];
  return typed === undefined ? [] : available.filter(({ name }) => name.startsWith(typed));
}

/** Reads `draft` as a command with its argument; `null` when it is a message. */
export function readCommand(
  draft: string,
  available: readonly SlashCommand[],
): { readonly name: SlashCommandName; readonly argument: string } | null {
  const [, typed, argument] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(draft.trim()) ?? [];
  const command = available.find(({ name }) => name === typed);
  return command ? { name: command.name, argument: (argument ?? "").trim() } : null;
}
