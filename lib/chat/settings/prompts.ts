import type { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import { KeyedSettings, listByName } from "@/lib/chat/core/keyed-settings";
import type { SettingsOwner } from "@/lib/chat/core/settings-store";
import { type PromptsWire, type PromptWire, writePromptRequest } from "@/lib/chat/wire/prompts";

const prompts = new KeyedSettings("prompt:", writePromptRequest, {
  limit: { most: 100, code: "too-many-prompts", noun: "prompts" },
});
/** Commands of the composer. */
const taken = new Set(["compact", "branch", "fork", "find", "search", "new"]);

type Owner = Pick<SettingsOwner, "settings">;

export async function promptsView({ settings }: Owner): Promise<PromptsWire> {
  return { prompts: promptsIn(await settings.read()) };
}

export function promptsIn(settings: Readonly<Record<string, unknown>>): PromptWire[] {
  return listByName(prompts, settings);
}

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

export function importedPrompts(
  stored: Readonly<Record<string, unknown>>,
  list: readonly unknown[] | undefined,
) {
  const { fresh, leftOut } = prompts.additions(stored, {
    field: "prompts",
    list,
    key: "id",
    label: (_id, { name }) => `/${name}`,
    isSame: (here, imported) => here.text === imported.text,
  });
  const texts = new Map(promptsIn(stored).map(({ name, text }) => [name.toLowerCase(), text]));
  const added: Record<string, z.output<typeof writePromptRequest>> = {};
  for (const [id, { name: wanted, text }] of fresh) {
    if (texts.get(wanted.toLowerCase()) === text) continue;
    const name = freeName(wanted, (each) => taken.has(each) || texts.has(each));
    texts.set(name.toLowerCase(), text);
    added[id] = { name, text };
  }
  return { changes: prompts.changes(added), leftOut };
}

function freeName(wanted: string, isTaken: (lowerCase: string) => boolean): string {
  const stem = Array.from(wanted).slice(0, 34).join("");
  let name = wanted;
  for (let number = 2; isTaken(name.toLowerCase()); number++) name = `${stem}-${number}`;
  return name;
}
