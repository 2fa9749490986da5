import { InvalidArgumentError } from "../../session";
import type { ConversationOptions, NewContent, SessionMeta, SessionStorage } from "./types";

interface Description {
  /** Default: a random id. */
  id?: string | undefined;
  /** Default "New session" or "Main session". */
  label?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface CreateSessionOptions<Storage extends SessionStorage = SessionStorage>
  extends ConversationOptions<Storage>,
    Description {}

export const defaultLabels = { standard: "New session", main: "Main session" };

export function newMeta(
  { id = crypto.randomUUID(), label, tags = [], metadata = {} }: Description,
  role: SessionMeta["role"],
): SessionMeta {
  const now = new Date().toISOString();
  return {
    id,
    label: label ?? defaultLabels[role],
    role,
    status: "active",
    tags,
    metadata,
    createdAt: now,
    updatedAt: now,
  };
}

export async function createMeta(
  options: CreateSessionOptions,
  role: SessionMeta["role"],
): Promise<SessionMeta> {
  const { storage, systemPrompt = null } = options;
  const meta = newMeta(options, role);
  await storage.transaction((tx) => putNew(tx, meta, { systemPrompt, records: [] }));
  return (await storage.getSession(meta.id)) ?? meta;
}

export function sessionTaken(id: string): InvalidArgumentError {
  return new InvalidArgumentError(`Session "${id}" exists. Load it, or choose another id.`);
}

/** @throws {InvalidArgumentError} for the id of another session. */
export async function putNew(
  storage: SessionStorage,
  meta: SessionMeta,
  { systemPrompt, records }: NewContent,
): Promise<void> {
  if (await storage.getSession(meta.id)) throw sessionTaken(meta.id);
  await storage.putSession(meta);
  if (systemPrompt !== null) await storage.putSystemPrompt(meta.id, systemPrompt);
  for (const record of records) await storage.appendRecord(meta.id, record);
}
