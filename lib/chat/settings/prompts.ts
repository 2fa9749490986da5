import { z } from "zod";
import { ChatError } from "@/lib/chat/chat-error";
import { type PromptsWire, type PromptWire, writePromptRequest } from "@/lib/chat/wire/prompts";
import { KeyedSettings, listByName } from "./keyed-settings";
import type { SettingsOwner } from "./settings-store";

const prompts = new KeyedSettings("prompt:", writePromptRequest, {
  limit: { most: 100, code: "too-many-prompts", noun: "prompts" },
});
/** Commands of the composer. */
const taken = new Set(["compact", "fork", "find", "search", "new"]);

type Owner = Pick<SettingsOwner, "settings">;

/** By name. */
export async function promptsView({ settings }: Owner): Promise<PromptsWire> {
  return { prompts: promptsIn(await settings.read()) };
}

export function promptsIn(settings: Readonly<Record<string, unknown>>): PromptWire[] {
  return listByName(prompts, settings);
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
  const stored = await owner.settings.read();
  const others = promptsIn(stored).filter((prompt) => prompt.id !== id);
  const isSame = (prompt: PromptWire) => prompt.name.toLowerCase() === name.toLowerCase();
  if (taken.has(name.toLowerCase()) || others.some(isSame))
    throw new ChatError("prompt-name-taken", `There is a “/${name}” already.`, { field: "name" });
  await owner.settings.change(prompts.allowedChanges(stored, { [id]: { name, text } }));
  return promptsView(owner);
}

export async function deletePrompt(owner: Owner, id: string): Promise<PromptsWire> {
  await owner.settings.change(prompts.changes({ [id]: null }));
  return promptsView(owner);
}

const importedPrompts = z.array(writePromptRequest.extend({ id: z.string().min(1).max(200) }));

/** Adds those of an export; a prompt that is there, or another of the same name, stays. */
export async function addPrompts(owner: Owner, found: unknown): Promise<void> {
  const read = importedPrompts.safeParse(found);
  if (!read.success) return;
  const present = promptsIn(await owner.settings.read());
  const ids = new Set(present.map(({ id }) => id));
  const names = new Set([...taken, ...present.map(({ name }) => name.toLowerCase())]);
  const fresh: Record<string, z.output<typeof writePromptRequest>> = {};
  for (const { id, name, text } of read.data) {
    if (ids.has(id) || names.has(name.toLowerCase())) continue;
    names.add(name.toLowerCase());
    fresh[id] = { name, text };
  }
  if (Object.keys(fresh).length > 0) await owner.settings.change(prompts.changes(fresh));
}
