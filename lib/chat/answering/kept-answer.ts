import type { UIMessageChunk } from "ai";
import {
  InvalidArgumentError,
  isToolPart,
  MessageNotFoundError,
  type SessionMessage,
  type SessionMessagePart,
  toolNameOf,
} from "grove-session";
import { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { assistantIn } from "@/lib/chat/core/settings-store";
import { entryOf } from "@/lib/chat/sessions/transcript";
import type { AssistantRef } from "@/lib/chat/wire/assistants";
import { type HeldThought, meantPart } from "@/lib/chat/wire/meant-parts";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { ChunkRepair } from "./chunk-repair";
import type { Order } from "./order";
import { Seam } from "./seam";

interface KeptAnswer {
  readonly model: string | null;
  readonly assistant: AssistantRef | null;
  readonly parts: readonly SessionMessagePart[];
  readonly kept: NonNullable<Order["kept"]>;
}

/**
 * @throws {InvalidArgumentError} for a message that was not cut off, or is empty.
 * @throws {MessageNotFoundError}
 */
export async function keptAnswer(
  owner: OwnerData,
  { sessionId, messageId, parentId }: { sessionId: string; messageId: string; parentId: string },
): Promise<KeptAnswer> {
  const message = await owner.store.messages(sessionId).getMessage(messageId);
  if (!message) throw new MessageNotFoundError(messageId);
  const metadata = (message.metadata ?? {}) as GroveMetadata;
  const { status, model = null, thoughtMs = [] } = metadata;
  const isCut = status === "stopped" || status === "interrupted" || status === "failed";
  const parts = keptParts(message);
  if (message.role !== "assistant" || !isCut || !parts.some(holdsSomething))
    throw new InvalidArgumentError("This answer cannot go on. Regenerate it instead.");
  if ((await entryOf(owner, sessionId, messageId)).parentId !== parentId)
    throw new InvalidArgumentError("This answer belongs to another question.");
  const chunks = keptChunks(parts).length;
  const assistant = assistantIn({ ...metadata });
  return { model, assistant, parts, kept: { id: messageId, chunks, thoughtMs } };
}

const finished: readonly unknown[] = ["output-available", "output-error", "output-denied"];

/** Drops calls without a result: the model makes them again. */
export function keptParts({ parts }: Pick<SessionMessage, "parts">): SessionMessagePart[] {
  const kept = parts.filter((part) => {
    if (isToolPart(part)) return finished.includes(part.state) && part.preliminary !== true;
    if (isWritten(part)) return part.text !== "";
    return otherKinds.includes(part.type);
  });
  while (kept.at(-1)?.type === "step-start") kept.pop();
  return kept;
}

const otherKinds = ["step-start", "file", "source-url", "source-document"];

interface WrittenPart extends SessionMessagePart {
  readonly text: string;
}

function isWritten(part: SessionMessagePart): part is WrittenPart {
  return (part.type === "text" || part.type === "reasoning") && typeof part.text === "string";
}

function holdsSomething(part: SessionMessagePart): boolean {
  return isToolPart(part) || (part.type === "text" && String(part.text).trim() !== "");
}

/** `null` unless a text was last. */
export function openText(parts: readonly SessionMessagePart[]): string | null {
  const last = parts.at(-1);
  return last && last.type === "text" && isWritten(last) ? last.text : null;
}

/** The last text is not ended, since the answer continues it. */
export function keptChunks(parts: readonly SessionMessagePart[]): UIMessageChunk[] {
  const repair = new ChunkRepair();
  const chunks = parts.flatMap((part, at) => {
    const isOpen = at === parts.length - 1 && part.type === "text";
    return chunksOf(part, at).slice(0, isOpen ? -1 : undefined);
  });
  return chunks.flatMap((chunk) => repair.repaired(chunk));
}

const keptId = (at: number) => `kept-${at}`;

function chunksOf(part: SessionMessagePart, at: number): UIMessageChunk[] {
  if (isWritten(part)) {
    const { type, text, providerMetadata } = part;
    const id = keptId(at);
    return [
      { type: `${type}-start`, id, ...(providerMetadata !== undefined && { providerMetadata }) },
      { type: `${type}-delta`, id, delta: text },
      { type: `${type}-end`, id },
    ] as UIMessageChunk[];
  }
  if (isToolPart(part)) return callChunks(part);
  return [part.type === "step-start" ? { type: "start-step" } : (part as UIMessageChunk)];
}

const approvalSchema = z.looseObject({
  id: z.string(),
  approved: z.boolean().optional(),
  reason: z.string().optional(),
});

function callChunks(part: SessionMessagePart): UIMessageChunk[] {
  const { toolCallId, input, title, toolMetadata, providerExecuted } = part;
  const asked = approvalSchema.safeParse(part.approval).data;
  return [
    {
      type: "tool-input-available",
      toolCallId,
      toolName: toolNameOf(part),
      input: input ?? {},
      ...(part.type === "dynamic-tool" && { dynamic: true }),
      ...defined({ title, toolMetadata, providerExecuted }),
      ...defined({ providerMetadata: part.callProviderMetadata }),
    },
    ...(asked
      ? [
          { type: "tool-approval-request", approvalId: asked.id, toolCallId },
          {
            type: "tool-approval-response",
            approvalId: asked.id,
            ...defined({ approved: asked.approved ?? true, reason: asked.reason }),
          },
        ]
      : []),
    resultChunk(part),
  ] as UIMessageChunk[];
}

function resultChunk({ state, toolCallId, output, errorText, ...part }: SessionMessagePart) {
  const { providerExecuted, resultProviderMetadata: providerMetadata } = part;
  const common = { toolCallId, ...defined({ providerExecuted, providerMetadata }) };
  if (state === "output-error") return { type: "tool-output-error", errorText, ...common };
  if (state === "output-denied") return { type: "tool-output-denied", toolCallId };
  return { type: "tool-output-available", output, ...common };
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function writtenSince(
  kept: readonly SessionMessagePart[],
  all: readonly SessionMessagePart[],
): SessionMessagePart[] {
  const text = openText(kept);
  if (text === null) return all.slice(kept.length);
  return all.slice(kept.length - 1).map((part, at) => {
    return at === 0 && isWritten(part) ? { ...part, text: part.text.slice(text.length) } : part;
  });
}

/**
 * A thought before the model's first text moves behind the joined text and loses its signature, which is only valid in
 * its place.
 */
export async function* goingOn(
  chunks: AsyncIterable<UIMessageChunk>,
  kept: readonly SessionMessagePart[],
  { repeats }: { readonly repeats: boolean },
): AsyncGenerator<UIMessageChunk> {
  const text = openText(kept);
  if (text === null) return yield* chunks;
  const written = new WrittenOn(text, { id: keptId(kept.length - 1), repeats });
  let writtenId: string | null = null;
  let hasBegun = false;
  for await (const chunk of chunks) {
    if (!written.isOpen) yield chunk;
    else if (chunk.type === "start-step" && !hasBegun) hasBegun = true;
    else if (chunk.type === "text-start" && writtenId === null) writtenId = chunk.id;
    else if (chunk.type === "text-delta" && chunk.id === writtenId) yield* written.on(chunk.delta);
    else if (chunk.type.startsWith("reasoning-")) {
      const { providerMetadata: _, ...thought } = chunk as { providerMetadata?: unknown };
      yield thought as UIMessageChunk;
    } else if (chunk.type === "text-end" && chunk.id === writtenId) {
      const wasThought = meantPart({ ...chunk, type: "text" }).type === "reasoning";
      yield* wasThought ? written.asThought(hasThought(kept)) : written.end();
      writtenId = null;
    } else {
      if (endsText.test(chunk.type)) yield* written.end();
      yield chunk;
    }
  }
  if (written.isOpen) yield* written.end();
}

const endsText = /^(tool-|text-start|finish-step)/;

/** A model that thinks in its text does so where a step begins. */
function hasThought(kept: readonly SessionMessagePart[]): boolean {
  const from = kept.findLastIndex(({ type }) => type === "step-start");
  return kept.slice(from + 1).some(({ type }) => type === "reasoning");
}

class WrittenOn {
  readonly #kept: string;
  readonly #id: string;
  readonly #repeats: boolean;
  #seam: Seam;
  #length: number;
  isOpen = true;

  constructor(kept: string, { id, repeats }: { readonly id: string; readonly repeats: boolean }) {
    this.#kept = kept;
    this.#id = id;
    this.#repeats = repeats;
    this.#seam = new Seam(kept, { repeats });
    this.#length = kept.length;
  }

  on(delta: string): UIMessageChunk[] {
    return this.#added(this.#seam.push(delta));
  }

  end(providerMetadata?: Record<string, Record<string, string>>): UIMessageChunk[] {
    this.isOpen = false;
    const end = { type: "text-end", id: this.#id, ...(providerMetadata && { providerMetadata }) };
    return [...this.#added(this.#seam.end()), end as UIMessageChunk];
  }

  /** The kept text, cut off before its tag, becomes a thought, too, unless its step had one. */
  asThought(hadThought: boolean): UIMessageChunk[] {
    if (!hadThought) return this.end({ grove: { meant: "reasoning" } });
    const added = this.#added(this.#seam.end());
    const grove: HeldThought = { thought: [this.#kept.length, this.#length] };
    this.#seam = new Seam(this.#kept, { repeats: this.#repeats });
    const mark = { type: "text-delta", id: this.#id, delta: "", providerMetadata: { grove } };
    return [...added, mark as unknown as UIMessageChunk];
  }

  #added(delta: string): UIMessageChunk[] {
    this.#length += delta.length;
    return delta === "" ? [] : [{ type: "text-delta", id: this.#id, delta }];
  }
}
