import { readEntry } from "@/lib/session/context/accept-proposal";
import type { RegisteredBlock } from "@/lib/session/context/context-block";
import { joinLines } from "@/lib/session/context/context-blocks";
import { isEntryProvider } from "@/lib/session/context-provider";
import { InvalidArgumentError } from "@/lib/session/errors";
import { entryKeyFor } from "./entry-key";
import type { SetContextInput } from "./set-context-input";

export interface EntryToWrite {
  readonly key: string;
  readonly title: string;
  /** The whole text, with what is there when the input adds to it. */
  readonly content: string;
  /** The version there is now; `null` where the provider keeps none. */
  readonly version: number | null;
}

/** The entry a model means, and what it would say. @throws {InvalidArgumentError} without a title. */
export async function entryToWrite(
  block: RegisteredBlock,
  { content, action, metadata }: SetContextInput,
): Promise<EntryToWrite> {
  const { label, provider } = block;
  const title = metadata?.title?.trim();
  if (!title)
    throw new InvalidArgumentError(`Block "${label}" holds entries: give metadata.title.`);
  const known = isEntryProvider(provider) ? await provider.entry(title) : null;
  const key = known ? title : entryKeyFor(title);
  const before = await readEntry(block, key);
  const whole = action === "append" ? joinLines(before.content, content) : content;
  return { key, title, content: whole, version: before.version };
}
