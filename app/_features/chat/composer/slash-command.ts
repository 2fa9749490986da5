import { refOfAssistant } from "@/app/_data/assistants/use-assistants";
import type { AssistantRef, AssistantWire } from "@/lib/chat/wire/assistants";
import type { PromptWire } from "@/lib/chat/wire/prompts";

export type SlashCommandName = "compact" | "branch" | "find" | "search" | "new";

export interface SlashCommand {
  readonly name: SlashCommandName;
  readonly description: string;
  readonly argument: string | null;
}

const slashCommands: readonly SlashCommand[] = [
  { name: "compact", description: "Summarize older messages to free up space", argument: "focus" },
  { name: "branch", description: "Branch in new chat", argument: null },
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
    }
  | {
      readonly name: string;
      readonly description: string;
      readonly argument: null;
      readonly assistant: AssistantRef;
    };

type Askable = Pick<AssistantWire, "key" | "version" | "name" | "description" | "problem">;

export function matchingAssistants(
  draft: string,
  assistants: readonly Askable[],
): readonly MenuEntry[] {
  const typed = /^@([^\n]{0,80})$/.exec(draft)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  return assistants
    .filter(({ name, problem }) => problem === null && name.toLowerCase().startsWith(typed))
    .slice(0, 8)
    .map(({ description, ...ref }) => {
      const assistant = refOfAssistant(ref);
      return { name: ref.name, description, argument: null, assistant };
    });
}

export function namedAssistant(
  draft: string,
  assistants: readonly Askable[],
): { readonly assistant: AssistantRef; readonly text: string } | null {
  if (!draft.startsWith("@")) return null;
  const written = draft.toLowerCase();
  const named = assistants
    .filter(({ name, problem }) => {
      return problem === null && written.startsWith(`@${name.toLowerCase()} `);
    })
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  return named
    ? { assistant: refOfAssistant(named), text: draft.slice(named.name.length + 2) }
    : null;
}

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
    branch: "Nothing to branch from yet.",
    find: "Nothing to search yet. Use /search to search all chats.",
  },
  beginning: {
    compact: "Nothing to summarize before the first message.",
    branch: "Nothing to branch from before the first message.",
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
  // The former name must not become a message.
  const wanted = typed === "fork" ? "branch" : typed;
  const command = slashCommands.find(({ name }) => name === wanted);
  return command ? { name: command.name, argument: (argument ?? "").trim() } : null;
}
