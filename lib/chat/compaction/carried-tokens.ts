import type { ToolSet } from "ai";
import {
  estimateMessageTokens,
  estimateStringTokens,
  estimateToolTokens,
  isCompactionMessage,
  type SessionMessage,
  type SessionMessagePart,
  skillEvents,
} from "grove-session";
import type { GroveMetadata } from "@/lib/chat/wire/messages";

export interface CarriedInput {
  readonly prompt: string;
  readonly tools: ToolSet;
  readonly messages: readonly SessionMessage[];
  readonly skillTokens: readonly number[];
  readonly model: string;
}

export interface CarriedTokens {
  readonly prompt: number;
  readonly tools: number;
  readonly messages: number;
  readonly summaries: number;
  readonly skills: readonly number[];
  readonly total: number;
  readonly scale: number;
}

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
    part.type !== "text" && skillEvents({ parts: [part] }).length > 0;
  if (!message.parts.some(isDocument)) return message;
  return {
    ...message,
    parts: message.parts.map((part) => (isDocument(part) ? { ...part, output: "" } : part)),
  };
}

/** Odd counts would make a conversation look empty or compact at every turn. */
const scales = { least: 0.5, most: 2.5 };

export function tokenScale(history: readonly SessionMessage[], model: string): number {
  const reportOf = ({ metadata }: SessionMessage) => metadata as GroveMetadata | undefined;
  const counted = history.findLast((message) => {
    const report = reportOf(message);
    return report?.input && report.model === model;
  });
  return scaleOf(counted && reportOf(counted)?.input);
}

export function scaleOf(measured: GroveMetadata["input"]): number {
  if (!measured || measured.estimated <= 0 || measured.reported <= 0) return 1;
  const scale = measured.reported / measured.estimated;
  return Math.min(scales.most, Math.max(scales.least, scale));
}
