import type { ContextBlock } from "@/lib/session/context/context-block";
import type { SessionMessage } from "@/lib/session/message";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { TokenCounter } from "./estimate-tokens";

interface CallParts {
  readonly messages: SessionMessage[];
  /** `""` where single messages are counted. */
  readonly systemPrompt: string;
  readonly contextBlocks: ContextBlock[];
}

/** A list of messages that also names itself, the prompt and the blocks, for counters of either form. */
type CountedCall = readonly SessionMessage[] & CallParts;

/** Counts the tokens of a call from its messages alone, or from `{ messages, systemPrompt, contextBlocks }`. */
export type SessionTokenCounter = (call: CountedCall) => MaybePromise<number>;

export function countedCall(
  messages: readonly SessionMessage[],
  { systemPrompt, contextBlocks }: Omit<CallParts, "messages">,
): CountedCall {
  return Object.assign([...messages], { messages: [...messages], systemPrompt, contextBlocks });
}

/** The same counter for messages alone, as boundaries need it. */
export function counterOfMessages(
  counter: SessionTokenCounter | undefined,
): TokenCounter | undefined {
  if (!counter) return undefined;
  return (messages) => counter(countedCall(messages, { systemPrompt: "", contextBlocks: [] }));
}
