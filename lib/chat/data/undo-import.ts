import { isDeepStrictEqual } from "node:util";
import { isSessionError } from "grove-session";
import type { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { SettingsOwner } from "@/lib/chat/core/settings-store";
import { Memory } from "@/lib/chat/memory/memory";
import { isOneText } from "@/lib/chat/sessions/block-kinds";
import type { UndoneImportWire, undoImportRequest } from "@/lib/chat/wire/data";

type UndoOwner = OwnerData & SettingsOwner;
type Change = z.output<typeof undoImportRequest>["changes"][number];

/** Anything changed since the import stays, and is named. */
export async function undoImport(
  owner: UndoOwner,
  { changes }: z.output<typeof undoImportRequest>,
): Promise<UndoneImportWire> {
  const left: string[] = [];
  let undone = 0;
  for (const change of changes.toReversed()) {
    if (await isUndone(owner, change)) undone++;
    else left.push(change.label);
  }
  return { undone, left: left.toReversed() };
}

async function isUndone(owner: UndoOwner, change: Change): Promise<boolean> {
  if (change.kind === "setting") return isSettingUndone(owner, change);
  try {
    return change.kind === "section"
      ? await isSectionUndone(owner, change.blockId)
      : await isDocumentUndone(owner, change);
  } catch (error) {
    const isChanged = isSessionError(error) || error instanceof ChatError;
    if (isChanged) return false;
    throw error;
  }
}

type SettingChange = Extract<Change, { kind: "setting" }>;

async function isSettingUndone(
  { settings }: SettingsOwner,
  { key, value }: SettingChange,
): Promise<boolean> {
  const stored = await settings.read();
  if (!isDeepStrictEqual(stored[key], value)) return false;
  await settings.change({ [key]: null });
  return true;
}

async function isSectionUndone(owner: UndoOwner, blockId: string): Promise<boolean> {
  const memory = new Memory(owner, null);
  const block = await memory.read(blockId);
  const isEmpty = isOneText(block)
    ? block.content === ""
    : (await memory.entries(blockId)).length === 0;
  if (isEmpty) await memory.delete(blockId);
  return isEmpty;
}

type DocumentChange = Extract<Change, { kind: "document" }>;

async function isDocumentUndone(owner: UndoOwner, change: DocumentChange): Promise<boolean> {
  const { blockId, key, version: expectedVersion, before } = change;
  const memory = new Memory(owner, null);
  const place = { blockId, ...(key !== "" && { key }) };
  const versions = await memory.versions(place);
  if (versions[0]?.version !== expectedVersion) return false;
  const content = before && contentBefore(before, versions);
  if (content === undefined) return false;
  if (key === "") await memory.restoreText(blockId, { content, expectedVersion });
  else if (content === null) await memory.removeEntry(blockId, key, { expectedVersion });
  else {
    const { title = key, description } = before ?? {};
    const entry = { title, description: description ?? "", content };
    await memory.writeEntry(blockId, key, { ...entry, expectedVersion });
  }
  return true;
}

function contentBefore(
  { version, content }: NonNullable<DocumentChange["before"]>,
  versions: readonly { version: number; content: string | null }[],
): string | null | undefined {
  if (content !== undefined) return content;
  return versions.find((each) => each.version === version)?.content;
}
