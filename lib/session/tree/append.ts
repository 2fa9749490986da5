import { MessageConflictError, MessageNotFoundError } from "../errors";
import type { AppendOptions, AppendResult, SessionMessage } from "../message";
import {
  assertDistinct,
  assertId,
  assertStorable,
  fromStoredBody,
  isSameBody,
  toStoredBody,
} from "../stored-body";
import { liveRecord, survivingParent } from "./paths";
import type { SessionTree } from "./session-tree";

interface AppendTarget {
  readonly parentId: string | null | undefined;
  readonly sessionId: string;
}

export function appendTo(
  tree: SessionTree,
  message: SessionMessage,
  { parentId, sessionId, activate = true }: AppendTarget & AppendOptions,
): AppendResult {
  assertId(sessionId, "session");
  assertStorable(message);
  const body = toStoredBody(message, new Date());
  const present = alreadyStored(tree, message);
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

export function appendAllTo(
  tree: SessionTree,
  messages: readonly SessionMessage[],
  { parentId, ...options }: AppendTarget & AppendOptions,
): AppendResult[] {
  assertDistinct(messages);
  for (const [index, message] of messages.entries()) {
    assertStorable(message);
    const present = alreadyStored(tree, message);
    if (!present && index === 0) parentFor(tree, message.id, parentId);
  }
  return messages.map((message, index) => {
    const parent = messages[index - 1]?.id ?? parentId;
    return appendTo(tree, message, { ...options, parentId: parent });
  });
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

function alreadyStored(tree: SessionTree, message: SessionMessage): AppendResult | null {
  const record = tree.records.get(message.id);
  if (!record) return null;
  const stored = fromStoredBody(record.body);
  if (!isSameBody(stored, message) || record.deletionId !== null)
    throw new MessageConflictError(message.id);
  const parentId = survivingParent(tree, record)?.body.id ?? null;
  return { inserted: false, message: stored, parentId };
}
