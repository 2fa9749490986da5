import type { ContextDefinition } from "../context/context-block";
import { InvalidArgumentError } from "../errors";
import type { SessionMessage, StoredMessage } from "../message";
import type { Session } from "../session";
import type { MaybePromise } from "../session-provider";
import type { CreateSessionOptions, SessionInfo, SessionStore } from "../session-store";
import { copyOwnBlocks, idOf, whole } from "./split-session";

/** Omitted options come from the parent. */
export interface SpawnOptions extends Omit<CreateSessionOptions, "parentSessionId"> {
  /** Messages returned by a function keep their ids. */
  readonly context?: "none" | "inherit" | SpawnContext | undefined;
  /** By label; other blocks start as copies of the parent's. */
  readonly blocks?: Readonly<Record<string, string>> | undefined;
  readonly firstMessage?: string | undefined;
}

export type SpawnContext = (
  history: readonly StoredMessage[],
) => MaybePromise<readonly SessionMessage[]>;

interface SpawnSettings {
  readonly name: string;
  readonly options: SpawnOptions;
  readonly context: readonly ContextDefinition[];
}

export async function spawnSession(
  store: SessionStore,
  { info, session }: { info: SessionInfo; session: Session },
  { name, options, context }: SpawnSettings,
): Promise<string> {
  const labels = ownLabels(context);
  const unknown = Object.keys(options.blocks ?? {}).find((label) => !labels.has(label));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is no block of the session's own.`);
  const { context: chosen } = options;
  const leaf = chosen === "inherit" ? await session.getLatestLeaf() : null;
  const start = typeof chosen === "function" ? await chosen(await session.getHistory()) : [];
  const { id } = leaf
    ? await store.sessions.fork(info.id, leaf.id, name, { id: options.id })
    : await created(store, { info, name, options });
  await whole(store, { id, givenId: options.id }, async () => {
    const { model, tags, metadata } = options;
    if (leaf) await store.sessions.update(id, { model, tags, metadata });
    else await copyOwnBlocks(store, { from: info.id, to: id, context });
    await store.messages(id).appendMessages([...start, ...openingOf(id, options)]);
    for (const [label, content] of Object.entries(options.blocks ?? {}))
      await store.block({ label, sessionId: id }).set(content);
  });
  return id;
}

function created(
  store: SessionStore,
  {
    info,
    name,
    options,
  }: { readonly info: SessionInfo; readonly name: string; readonly options: SpawnOptions },
): Promise<SessionInfo> {
  return store.sessions.create(name, {
    id: options.id,
    parentSessionId: info.id,
    model: options.model ?? info.model ?? undefined,
    source: options.source ?? info.source ?? undefined,
    tags: options.tags ?? info.tags,
    metadata: options.metadata,
  });
}

function openingOf(id: string, { firstMessage: text }: SpawnOptions): SessionMessage[] {
  if (text === undefined) return [];
  return [{ id: idOf("first-of", id), role: "assistant", parts: [{ type: "text", text }] }];
}

function ownLabels(context: readonly ContextDefinition[]): ReadonlySet<string> {
  const own = context.filter(({ provider, scope = "session" }) => !provider && scope === "session");
  return new Set(own.map(({ label }) => label));
}
