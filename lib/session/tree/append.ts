import {
  InvalidArgumentError,
  MessageConflictError,
  MessageNotFoundError,
} from "@/lib/session/errors";
import type { AppendOptions, AppendResult, SessionMessage } from "@/lib/session/message";
import {
  assertStorable,
  fromStoredBody,
  type StoredBody,
  toStoredBody,
} from "@/lib/session/stored-body";
import { liveRecord, survivingParent } from "./paths";
import type { SessionTree } from "./session-tree";

interface AppendTarget {
  /** `undefined` continues the active leaf, `null` starts a root. */
  readonly parentId: string | null | undefined;
  readonly sessionId: string;
}

export function appendTo(
  tree: SessionTree,
  message: SessionMessage,
  { parentId, sessionId, activate = true }: AppendTarget & AppendOptions,
): AppendResult {
  assertStorable(message);
  const body = toStoredBody(message, new Date());
  const present = alreadyStored(tree, body);
  if (present) return present;
  const parent = parentFor(tree, message.id, parentId);
  const follows = parent === tree.activeLeafId;
  const order = ++tree.clock;
  tree.records.set(message.id, {
    body,
    parentId: parent,
    order,
    usedAt: order,
    pinned: false,
    label: null,
    deletionId: null,
    recordedSkills: [],
    writtenIn: sessionId,
  });
  if (activate === true || (activate === "follow" && follows)) tree.activeLeafId = message.id;
  return { inserted: true, message: fromStoredBody(body), parentId: parent };
}

/** Refuses all when it refuses one. */
export function appendAllTo(
  tree: SessionTree,
  messages: readonly SessionMessage[],
  { parentId, ...options }: AppendTarget & AppendOptions,
): AppendResult[] {
  assertDistinct(messages);
  for (const [index, message] of messages.entries()) {
    assertStorable(message);
    const present = alreadyStored(tree, toStoredBody(message, new Date()));
    if (!present && index === 0) parentFor(tree, message.id, parentId);
  }
  return messages.map((message, index) => {
    const parent = messages[index - 1]?.id ?? parentId;
    return appendTo(tree, message, { ...options, parentId: parent });
  });
}

/** @throws {InvalidArgumentError} for an id given twice. */
export function assertDistinct(messages: readonly SessionMessage[]): void {
  const seen = new Set<string>();
  for (const { id } of messages) {
    if (seen.has(id)) throw new InvalidArgumentError(`The id "${id}" is given to two messages.`);
    seen.add(id);
  }
}

function parentFor(
  tree: SessionTree,
  id: string,
  parentId: string | null | undefined,
): string | null {
  if (parentId === undefined) return tree.activeLeafId;
  if (parentId === null) return null;
  if (parentId === id || !liveRecord(tree, parentId)) throw new MessageNotFoundError(parentId);
  return parentId;
}

/** A retry changes nothing. */
function alreadyStored(tree: SessionTree, body: StoredBody): AppendResult | null {
  const record = tree.records.get(body.id);
  if (!record) return null;
  const same = record.body.role === body.role && record.body.parts === body.parts;
  if (!same || record.deletionId !== null) throw new MessageConflictError(body.id);
  const parentId = survivingParent(tree, record)?.body.id ?? null;
  return { inserted: false, message: fromStoredBody(record.body), parentId };
}
