import { hash } from "node:crypto";
import {
  compactionMessage,
  estimateMessageTokens,
  previewOf,
  type SessionMessage,
  type StoredMessage,
} from "grove-session";
import { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { type WithheldFile, withheldFile } from "@/lib/chat/files/given-files";
import { noteBeforeAnswer, noteToGoOn } from "@/lib/chat/sessions/model-input";
import { storedPath } from "@/lib/chat/sessions/stored-path";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { AnswerInput } from "./answer-input";

type ReceiptMessage = ReceiptWire["messages"][number];

/** 60 bytes a message: a receipt with texts would cost as much as the history, for each answer. */
export const sentMessages = z.looseObject({
  leafId: z.string(),
  ids: z.array(z.string()),
  roles: z.string(),
  tokens: z.array(z.number()),
  digests: z.string(),
  shortened: z.record(z.string(), z.array(z.custom<Shortened>())),
  /** By message id. Absent in receipts of the previous version. */
  withheld: z
    .record(z.string(), z.array(z.object({ name: z.string(), reason: z.string() })))
    .optional(),
});
export type SentMessages = z.output<typeof sentMessages>;
type Shortened = NonNullable<ReceiptMessage["shortened"]>[number];

const digestLength = 8;
const keptTogether = 32;
const roleNames: Readonly<Record<string, string>> = { u: "user", a: "assistant", s: "system" };

/** A long history is read in slices, since an answer streams. */
export async function keptMessages(
  leafId: string,
  { messages, shortened }: Pick<AnswerInput, "messages" | "shortened">,
): Promise<SentMessages> {
  const withheld: Record<string, WithheldFile[]> = {};
  const starts = Array.from({ length: Math.ceil(messages.length / keptTogether) });
  const kept = await mapInSlices(starts, (_, n) => {
    const some = messages.slice(n * keptTogether, (n + 1) * keptTogether);
    for (const { id, parts } of some) {
      const files = parts.flatMap((part) => withheldFile(part) ?? []);
      if (files.length > 0) withheld[id] = files;
    }
    return {
      roles: some.map(({ role }) => role.charAt(0)).join(""),
      tokens: some.map((message) => estimateMessageTokens([message])),
      digests: some.map(digestOf).join(""),
    };
  });
  const outputs = Map.groupBy(shortened, ({ messageId }) => messageId);
  return {
    leafId,
    ids: messages.map(({ id }) => id),
    roles: kept.map(({ roles }) => roles).join(""),
    tokens: kept.flatMap(({ tokens }) => tokens),
    digests: kept.map(({ digests }) => digests).join(""),
    withheld,
    shortened: Object.fromEntries(
      [...outputs].map(([id, own]) => [
        id,
        own.map(({ messageId: _, toolCallId: __, ...output }) => output),
      ]),
    ),
  };
}

export async function shownMessages(
  sent: SentMessages,
  {
    owner,
    sessionId,
    messageId,
    scale,
  }: { owner: Pick<OwnerData, "store">; sessionId: string; messageId: string; scale: number },
): Promise<ReceiptMessage[]> {
  const now = await messagesNow(owner, sessionId, [messageId, sent.leafId]);
  return mapInSlices(sent.ids, (id, index): ReceiptMessage => {
    const message = now.get(id);
    const digest = sent.digests.slice(index * digestLength, (index + 1) * digestLength);
    const shortened = sent.shortened[id];
    const withheld = sent.withheld?.[id];
    const role = roleNames[sent.roles.charAt(index)] ?? "user";
    return {
      id,
      role,
      preview: message ? previewOf(message) : "",
      tokens: Math.round((sent.tokens[index] ?? 0) * scale),
      ...(shortened && { shortened }),
      ...(withheld && { withheld }),
      ...(message && metadataOf(message).editedFrom !== undefined && { isEdited: true }),
      ...(id === sent.leafId && role === "assistant" && { goesOn: true }),
      ...(!message && { since: "deleted" }),
      ...(message && id !== messageId && hasChanged(message, digest) && { since: "edited" }),
    };
  });
}

function metadataOf({ metadata }: SessionMessage): GroveMetadata {
  return (metadata ?? {}) as GroveMetadata;
}

async function messagesNow(
  { store }: Pick<OwnerData, "store">,
  sessionId: string,
  leafIds: readonly string[],
): Promise<Map<string, SessionMessage>> {
  const messages = store.messages(sessionId);
  const path: StoredMessage[] = [];
  for (const leafId of leafIds) {
    if (path.length > 0) break;
    for await (const batch of storedPath(messages, leafId)) path.push(...batch);
  }
  const summaries = (await messages.getCompactions()).map(compactionMessage);
  const known = [noteBeforeAnswer, noteToGoOn, ...summaries, ...path];
  const leafId = leafIds.at(-1);
  const isOnPath = leafId === undefined || path.some(({ id }) => id === leafId);
  const leaf = isOnPath ? null : await messages.getMessage(leafId);
  return new Map([...known, ...(leaf ? [leaf] : [])].map((message) => [message.id, message]));
}

/** Notes about files are not stored and a skill's document may follow, so the first text alone counts. */
function firstText({ parts }: SessionMessage): string | undefined {
  const part = parts.find(
    (each) =>
      each.type === "text" && String(each.text ?? "").trim() !== "" && withheldFile(each) === null,
  );
  return typeof part?.text === "string" ? part.text : undefined;
}

function digestOf(message: SessionMessage): string {
  return hash("sha256", firstText(message) ?? "", "base64url").slice(0, digestLength);
}

function hasChanged(message: SessionMessage, digest: string): boolean {
  return firstText(message) !== undefined && digestOf(message) !== digest;
}

const sliceMs = 0.5;

export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    await new Promise((resume) => setTimeout(resume));
    startedAt = performance.now();
  };
  for (const [index, item] of items.entries()) {
    if (performance.now() - startedAt > sliceMs) await pause();
    results.push(map(item, index));
  }
  if (pauses > 0) await pause();
  return results;
}
