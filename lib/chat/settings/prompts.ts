import { z } from "zod";
import { ChatError } from "@/lib/chat/chat-error";
import { type PromptsWire, type PromptWire, writePromptRequest } from "@/lib/chat/wire/prompts";
import type { SettingsOwner } from "./settings-store";

const mostPrompts = 100;
const keyPrefix = "prompt:";
/** Commands of the composer. */
const taken = new Set(["compact", "fork", "find", "search", "new"]);

type Owner = Pick<SettingsOwner, "settings">;

/** By name. */
export async function promptsView({ settings }: Owner): Promise<PromptsWire> {
  return { prompts: promptsIn(await settings.read()) };
}

/** Each prompt is a setting of its own, so that two tabs do not overwrite each other's. */
export function promptsIn(settings: Readonly<Record<string, unknown>>): PromptWire[] {
  return Object.entries(settings)
    .flatMap(([key, value]) => {
      const prompt = key.startsWith(keyPrefix) ? writePromptRequest.safeParse(value) : null;
      return prompt?.success ? [{ id: key.slice(keyPrefix.length), ...prompt.data }] : [];
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/**
 * Creates or replaces a prompt.
 *
 * @throws {ChatError} `prompt-name-taken`, `too-many-prompts`.
 */
export async function writePrompt(
  owner: Owner,
  id: string,
  { name, text }: z.output<typeof writePromptRequest>,
): Promise<PromptsWire> {
  const { prompts } = await promptsView(owner);
  const others = prompts.filter((prompt) => prompt.id !== id);
  const isSame = (prompt: PromptWire) => prompt.name.toLowerCase() === name.toLowerCase();
  if (taken.has(name.toLowerCase()) || others.some(isSame))
    throw new ChatError("prompt-name-taken", `There is a “/${name}” already.`, { field: "name" });
  if (others.length >= mostPrompts)
    throw new ChatError("too-many-prompts", `There can be at most ${mostPrompts} prompts.`);
  await owner.settings.change({ [keyPrefix + id]: { name, text } });
  return promptsView(owner);
}

export async function deletePrompt(owner: Owner, id: string): Promise<PromptsWire> {
  await owner.settings.change({ [keyPrefix + id]: null });
  return promptsView(owner);
}

const importedPrompts = z.array(writePromptRequest.extend({ id: z.string().min(1).max(200) }));

/** Adds those of an export; a prompt that is there, or another of the same name, stays. */
export async function addPrompts(owner: Owner, found: unknown): Promise<void> {
  const read = importedPrompts.safeParse(found);
  if (!read.success) return;
  const { prompts } = await promptsView(owner);
  const ids = new Set(prompts.map(({ id }) => id));
  const names = new Set([...taken, ...prompts.map(({ name }) => name.toLowerCase())]);
  const fresh: Record<string, unknown> = {};
  for (const { id, name, text } of read.data) {
    const isFull = prompts.length + Object.keys(fresh).length >= mostPrompts;
    if (isFull || ids.has(id) || names.has(name.toLowerCase())) continue;
    names.add(name.toLowerCase());
    fresh[keyPrefix + id] = { name, text };
  }
  if (Object.keys(fresh).length > 0) await owner.settings.change(fresh);
}
