import { ChatError } from "@/lib/chat/core/chat-error";
import { type FileStore, fileNotFound } from "@/lib/chat/core/file-store";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { refOf, requireBlock } from "@/lib/chat/sessions/blocks";
import { filesLabel, maxFilesOfPlace } from "@/lib/chat/wire/knowledge";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";

/** @throws {ChatError} `file-not-found`, `too-many-files` */
export async function allowedFile(
  owner: Pick<OwnerData, "blocks" | "files" | "sourceBlocks">,
  sha256: string,
  { title }: { readonly title: string },
) {
  const [file] = await owner.files.touch([sha256]);
  if (!file) throw fileNotFound();
  const entries = owner.blocks.searchable(refOf(await requireBlock(owner, filesLabel, null), null));
  if ((await entries.count()) >= maxFilesOfPlace && !(await entries.entry(sha256))) {
    const most = maxFilesOfPlace.toLocaleString("en");
    throw new ChatError("too-many-files", `There can be at most ${most} files. Remove some first.`);
  }
  return { title, description: "", content: `grove-file:${sha256}` };
}

export async function withFacts(
  files: FileStore,
  entries: readonly EntryDocumentWire[],
): Promise<EntryDocumentWire[]> {
  const stored = await files.list(entries.map(({ key }) => key));
  const facts = new Map(stored.map((file) => [file.sha256, file]));
  return entries.map((entry) => {
    const file = facts.get(entry.key);
    const problem = file ? (file.problem ?? null) : "Its bytes are no longer stored. Add it again.";
    return { ...entry, problem, ...(file && { file, tokens: file.tokens ?? 0 }) };
  });
}
