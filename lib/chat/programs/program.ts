import type { SessionInfo } from "grove-session";
import { z } from "zod";
import type { Runner } from "@/lib/chat/answering/runner";
import type { ChooseModel } from "@/lib/chat/answering/send-message";
import type { StoredKey } from "@/lib/chat/core/key-store";
import type { Making } from "@/lib/chat/core/making";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { SettingsOwner } from "@/lib/chat/core/settings-store";
import { scopesOf } from "./keys";
import { programError } from "./program-error";

export interface Program {
  readonly key: StoredKey;
  readonly owner: OwnerData & SettingsOwner;
  readonly temporary: OwnerData;
  readonly runner: Runner;
  readonly chooseModel: ChooseModel;
  readonly making: Making;
  readonly inBackground: (work: () => Promise<void>) => void;
  readonly threadId: string | null;
  readonly signal: AbortSignal;
}

/** OpenAI limits metadata to 16 pairs. */
export const metadataSchema = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, "has at most 16 keys");

export function withoutPrefix(prefix: "resp" | "conv", id: string): string {
  if (id.startsWith(`${prefix}_`)) return id.slice(prefix.length + 1);
  throw programError(
    "not-found",
    `No ${prefix === "resp" ? "response" : "conversation"} has the id “${id}”.`,
  );
}

export interface NewProgramSession {
  readonly id: string;
  readonly title: string;
  readonly model?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  readonly expiresAfterMs?: number | undefined;
  readonly prompt?: string | undefined;
  readonly folder?: string | null | undefined;
  /** Searches leave out logs. */
  readonly isLog?: boolean | undefined;
}

export async function newProgramSession(
  { owner, key }: { owner: OwnerData; key: Pick<StoredKey, "id" | "name" | "scopes"> },
  { id, title, model, metadata, expiresAfterMs, prompt, folder, isLog = false }: NewProgramSession,
): Promise<SessionInfo> {
  const memoryMode = await owner.defaultMemoryMode();
  const log = isLog || scopesOf(key).keeps === "log";
  const program = {
    keyId: key.id,
    name: key.name,
    ...(prompt !== undefined && { prompt }),
    ...(folder && { folder }),
    ...(log && { log }),
  };
  return owner.store.sessions.create(title, {
    id,
    model,
    source: "program",
    ...(expiresAfterMs !== undefined && { expiresAfterMs }),
    metadata: { memoryMode, program, conversationMetadata: metadata ?? {} },
  });
}
