import { z } from "zod";
import type { Runner } from "@/lib/chat/answering/runner";
import type { ChooseModel } from "@/lib/chat/answering/send-message";
import type { Making } from "@/lib/chat/core/making";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { SettingsOwner } from "@/lib/chat/core/settings-store";
import type { SessionInfo } from "@/lib/session";
import type { StoredKey } from "./keys";
import { programError } from "./program-error";

/** A program that sends a request: its key, and the data of the key's owner. */
export interface Program {
  readonly key: StoredKey;
  readonly owner: OwnerData & SettingsOwner;
  /** Holds the answers that are not to be stored, and is emptied when they end. */
  readonly temporary: OwnerData;
  readonly runner: Runner;
  readonly chooseModel: ChooseModel;
  readonly making: Making;
  /** Logs the failure of work that outlives the request. */
  readonly inBackground: (work: () => Promise<void>) => void;
}

/** At most 16 pairs, as OpenAI limits them. */
export const metadataSchema = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, "has at most 16 keys");

/** The part after the prefix. @throws {ProgramError} 404. */
export function withoutPrefix(prefix: "resp" | "conv", id: string): string {
  if (id.startsWith(`${prefix}_`)) return id.slice(prefix.length + 1);
  throw programError(
    "not-found",
    `No ${prefix === "resp" ? "response" : "conversation"} has the id “${id}”.`,
  );
}

interface NewProgramSession {
  readonly id: string;
  readonly title: string;
  readonly model?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly expiresAfterMs?: number | undefined;
}

/** A chat whose source is a program's key. */
export async function newProgramSession(
  { owner, key }: { owner: OwnerData; key: Pick<StoredKey, "id" | "name"> },
  { id, title, model, metadata, expiresAfterMs }: NewProgramSession,
): Promise<SessionInfo> {
  const memoryMode = await owner.defaultMemoryMode();
  const program = { keyId: key.id, name: key.name };
  return owner.store.sessions.create(title, {
    id,
    model,
    source: "program",
    ...(expiresAfterMs !== undefined && { expiresAfterMs }),
    metadata: { memoryMode, program, conversationMetadata: metadata ?? {} },
  });
}
