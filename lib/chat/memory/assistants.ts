import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSessionError } from "grove-session";
import type { EditableEntries, WriteProvenance } from "grove-session/ports";
import { z } from "zod";
import { KeyedSettings, rowsBy } from "@/lib/chat/core/keyed-settings";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { isOwnSpace, type PersonInSpace } from "@/lib/chat/core/person-in-space";
import type { SettingsStore } from "@/lib/chat/core/settings-store";
import { assistantsBlock, refOf } from "@/lib/chat/sessions/blocks";
import {
  type AssistantsWire,
  type AssistantWire,
  assistantProblem,
  assistantText,
  readAssistant,
} from "@/lib/chat/wire/assistants";
import { modelParameters, modelSchema } from "@/lib/chat/wire/request-fields";
import { assistantEntry, newKeyFor } from "./assistant-entry";

export interface AssistantOwner extends PersonInSpace, Pick<OwnerData, "blocks" | "turns"> {
  readonly settings: Pick<SettingsStore, "read" | "change">;
}

export async function assistantsView(owner: AssistantOwner): Promise<AssistantsWire> {
  await giveAssistants(owner);
  const [entries, files] = [await assistantsOf(owner), await filesOfGrove()];
  const present = await entries.entries();
  const keys = new Set(present.map(({ key }) => key));
  return {
    assistants: present
      .map(({ key, version, title, content }) => assistantWire({ key, version, title, content }))
      .toSorted((a, b) => a.name.localeCompare(b.name) || (a.key < b.key ? -1 : 1)),
    deleted: files
      .filter(({ key }) => !keys.has(key))
      .map(({ key, text }) => ({ key, name: readAssistant(text, key).name, text })),
  };
}

interface Stored {
  readonly key: string;
  readonly version: number;
  readonly title: string;
  readonly content: string;
}

function assistantWire({ key, version, title, content }: Stored): AssistantWire {
  const problem = assistantProblem(content);
  const { body, ...assistant } = readAssistant(problem === null ? content : "", title || key);
  return { ...assistant, key, version, problem };
}

export async function assistantsOf({
  blocks,
}: Pick<OwnerData, "blocks">): Promise<EditableEntries> {
  return blocks.loadable(refOf(await assistantsBlock({ blocks }), null));
}

const preset = z.object({
  name: z.string().trim().min(1, "must not be empty").max(80),
  model: modelSchema.nullable(),
  parameters: modelParameters,
});

/** Version 0.2.0 kept presets in the settings. */
export const olderPresets = new KeyedSettings("preset:", preset, {
  older: (stored) => rowsBy("id", stored.presets),
});

export function assistantsOfPresets(list: readonly unknown[] | undefined) {
  const rows = { field: "presets", list, key: "id" as const, label: (id: string) => id };
  const { fresh, leftOut } = olderPresets.additions({}, rows);
  return { assistants: [...fresh.values()].map(textOfPreset), leftOut };
}

function textOfPreset({ name, model, parameters }: z.output<typeof preset>) {
  return { name, text: assistantText("", { name, model: model ?? "", parameters }, "") };
}

/** An assistant that was changed or deleted stays so. */
export async function giveAssistants(owner: AssistantOwner): Promise<void> {
  await givePresets(owner);
  const entries = await assistantsOf(owner);
  const present = new Set((await entries.entries()).map(({ key }) => key));
  for (const { key, text } of await filesOfGrove()) {
    if (present.has(key) || (await entries.entryVersions(key, { limit: 1 })).length > 0) continue;
    await isWritten(entries, { key, text, provenance: { author: "system" } });
  }
}

export async function givePresets(owner: AssistantOwner): Promise<void> {
  if (isOwnSpace(owner) && olderPresets.read(await owner.settings.read()).size > 0)
    await owner.turns.take("assistants", () => takePresets(owner));
}

async function takePresets(owner: AssistantOwner): Promise<void> {
  const stored = await owner.settings.read();
  const presets = olderPresets.read(stored);
  const entries = await assistantsOf(owner);
  for (const each of presets.values()) await addAssistant(entries, textOfPreset(each));
  const left = rowsBy("id", stored.presets).filter(([id]) => !presets.has(id));
  await owner.settings.change({
    ...olderPresets.changes(Object.fromEntries([...presets.keys()].map((id) => [id, null]))),
    ...("presets" in stored && { presets: left.length === 0 ? null : left.map(([, row]) => row) }),
  });
}

/** The same text again adds nothing; a taken name gets a number. */
export async function addAssistant(
  entries: EditableEntries,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<{ key: string; version: number } | null> {
  const present = await entries.entries();
  if (present.some(({ content }) => content === text)) return null;
  const taken = new Set(present.map(({ title }) => title.toLowerCase()));
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name.slice(0, 74)} ${number}`;
    const named =
      number === 1 ? text : assistantText(text, { name: tried }, readAssistant(text, name).body);
    if (present.some(({ content }) => content === named)) return null;
    if (taken.has(tried.toLowerCase())) continue;
    const key = await newKeyFor(entries, tried);
    if (await isWritten(entries, { key, text: named, provenance: { author: "person" } }))
      return { key, version: 1 };
  }
}

interface AssistantWrite {
  readonly key: string;
  readonly text: string;
  readonly provenance: WriteProvenance;
}

async function isWritten(
  entries: EditableEntries,
  { key, text, provenance }: AssistantWrite,
): Promise<boolean> {
  try {
    const entry = assistantEntry({ title: key, content: text });
    await entries.write(key, entry, { expectedVersion: 0, provenance });
    return true;
  } catch (error) {
    if (isSessionError(error) && error.code === "block-conflict") return false;
    throw error;
  }
}

let read: Promise<{ key: string; text: string }[]> | null = null;

function filesOfGrove(): Promise<{ key: string; text: string }[]> {
  read ??= readFiles();
  return read;
}

async function readFiles(): Promise<{ key: string; text: string }[]> {
  const folder = join(/*turbopackIgnore: true*/ process.cwd(), "lib/chat/memory/assistants");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).toSorted();
  return Promise.all(
    names.map(async (name) => ({
      key: name.slice(0, -".md".length),
      text: await readFile(join(/*turbopackIgnore: true*/ folder, name), "utf8"),
    })),
  );
}
