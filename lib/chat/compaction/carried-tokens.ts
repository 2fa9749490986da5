import type { ToolSet } from "ai";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import {
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  isCompactionMessage,
  type SessionMessage,
  type SessionMessagePart,
  skillOf,
} from "@/lib/session";

export interface CarriedInput {
  readonly prompt: string;
  readonly tools: ToolSet;
  /** As the model is given them, summaries in their places; documents of skills count apart. */
  readonly messages: readonly SessionMessage[];
  /** Of each loaded skill, as estimated. */
  readonly skillTokens: readonly number[];
  /** The model it is for. */
  readonly model: string;
}

export interface CarriedTokens {
  readonly prompt: number;
  readonly tools: number;
  readonly messages: number;
  readonly summaries: number;
  readonly skills: readonly number[];
  readonly total: number;
  /** What the model counts for each token that is estimated. */
  readonly scale: number;
}

/**
 * What a call of a model carries, in tokens: what the gauge shows, and what decides when to fold. Estimated, and put right
 * by what this model has counted for the newest answer in the history.
 */
export async function carriedTokens(input: CarriedInput): Promise<CarriedTokens> {
  const scale = tokenScale(input.messages, input.model);
  const scaled = (tokens: number) => Math.round(tokens * scale);
  const given = input.messages.map(withoutDocuments);
  const summaries = given.filter(isCompactionMessage);
  const messages = given.filter((message) => !isCompactionMessage(message));
  const carried = {
    prompt: scaled(estimateStringTokens(input.prompt)),
    tools: scaled(await estimateToolTokens(input.tools)),
    messages: scaled(estimateMessageTokens(messages)),
    summaries: scaled(estimateMessageTokens(summaries)),
    skills: input.skillTokens.map(scaled),
  };
  const { skills, ...single } = carried;
  const total = [...Object.values(single), ...skills].reduce((sum, tokens) => sum + tokens, 0);
  return { ...carried, total, scale };
}

function withoutDocuments(message: SessionMessage): SessionMessage {
  const isDocument = (part: SessionMessagePart) =>
    part.type !== "text" && skillOf(part) !== null && part.state === "output-available";
  if (!message.parts.some(isDocument)) return message;
  return {
    ...message,
    parts: message.parts.map((part) => (isDocument(part) ? { ...part, output: "" } : part)),
  };
}

/** A server that counts oddly must not make a conversation look empty, nor fold it at every turn. */
const scales = { least: 0.5, most: 2.5 };

/** Tokens the model counts for each that is estimated; 1 while it has said nothing. */
export function tokenScale(history: readonly SessionMessage[], model: string): number {
  const reports = history.map(({ metadata }) => metadata as GroveMetadata | undefined);
  return scaleOf(reports.findLast((report) => report?.input && report.model === model)?.input);
}

/** Tokens counted for each that is estimated, where both are known for one call; 1 where they are not. */
export function scaleOf(measured: GroveMetadata["input"]): number {
  if (!measured || measured.estimated <= 0 || measured.reported <= 0) return 1;
  const scale = measured.reported / measured.estimated;
  return Math.min(scales.most, Math.max(scales.least, scale));
}
