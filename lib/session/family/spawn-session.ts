import type { ContextDefinition } from "@/lib/session/context/context-block";
import { InvalidArgumentError } from "@/lib/session/errors";
import type { SessionMessage, StoredMessage } from "@/lib/session/message";
import type { Session } from "@/lib/session/session";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { CreateSessionOptions, SessionInfo, SessionStore } from "@/lib/session/session-store";
import { copyOwnBlocks } from "./split-session";

/** Options of a child session; omitted ones come from its parent. */
export interface SpawnOptions extends Omit<CreateSessionOptions, "parentSessionId"> {
  /**
   * The part of the parent's conversation the child starts with: nothing (default), all of it (a fork, which copies
   * nothing), or the result of a function of the visible history. Returned messages keep their ids.
   */
  readonly context?: "none" | "inherit" | SpawnContext | undefined;
  /** Contents for the child's own blocks, by label. Others start as copies of the parent's. */
  readonly blocks?: Readonly<Record<string, string>> | undefined;
  /** Opening message of the child, as an assistant message. */
  readonly firstMessage?: string | undefined;
}

/** Selects messages from the parent's visible history, root first. */
type SpawnContext = (history: readonly StoredMessage[]) => MaybePromise<readonly SessionMessage[]>;

interface SpawnSettings {
  readonly name: string;
  readonly options: SpawnOptions;
  /** The blocks the sessions of this configuration have. */
  readonly context: readonly ContextDefinition[];
}

/** Creates a child session, independent of its parent from then on. */
export async function spawnSession(
  store: SessionStore,
  { info, session }: { info: SessionInfo; session: Session },
  { name, options, context }: SpawnSettings,
): Promise<string> {
  const labels = ownLabels(context);
  const unknown = Object.keys(options.blocks ?? {}).find((label) => !labels.has(label));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`"${unknown}" is no block of the session's own.`);
  const leaf = options.context === "inherit" ? await session.getLatestLeaf() : null;
  const id = leaf
    ? await forked(store, { info, atMessageId: leaf.id, name, options })
    : await created(store, { info, name, options, context });
  const messages = store.messages(id);
  if (typeof options.context === "function") {
    for (const message of await options.context(await session.getHistory()))
      await messages.appendMessage(message);
  }
  for (const [label, content] of Object.entries(options.blocks ?? {}))
    await store.block({ label, sessionId: id }).set(content);
  if (options.firstMessage !== undefined) {
    const parts = [{ type: "text", text: options.firstMessage }];
    await messages.appendMessage({ id: `first-of-${id}`, role: "assistant", parts });
  }
  return id;
}

interface ChildSettings {
  readonly info: SessionInfo;
  readonly name: string;
  readonly options: SpawnOptions;
}

async function forked(
  store: SessionStore,
  { info, atMessageId, name, options }: ChildSettings & { readonly atMessageId: string },
): Promise<string> {
  const { id } = await store.sessions.fork(info.id, atMessageId, name, { id: options.id });
  const { model, tags, metadata } = options;
  await store.sessions.update(id, { model, tags, metadata });
  return id;
}

async function created(
  store: SessionStore,
  {
    info,
    name,
    options,
    context,
  }: ChildSettings & { readonly context: readonly ContextDefinition[] },
): Promise<string> {
  const { id } = await store.sessions.create(name, {
    id: options.id,
    parentSessionId: info.id,
    model: options.model ?? info.model ?? undefined,
    source: options.source ?? info.source ?? undefined,
    tags: options.tags ?? info.tags,
    metadata: options.metadata,
  });
  await copyOwnBlocks(store, { from: info.id, to: id, context });
  return id;
}

function ownLabels(context: readonly ContextDefinition[]): ReadonlySet<string> {
  const own = context.filter(({ provider, scope = "session" }) => !provider && scope === "session");
  return new Set(own.map(({ label }) => label));
}
