import type { Over } from "./ends";
import type { ReadFile } from "./pictures";
import type { SaidError } from "./provider-words";

export type Event = object;

/** The name of an unnamed call: the model reads that there is no such tool, and may call again. */
export const unnamedTool = "unnamed_tool";

/**
 * Repairs one answer of a provider, event by event: the events it returns are complete and well formed, hold every word
 * of those it was given, and end with the provider's end.
 */
export interface AnswerReader {
  /** @param event parsed JSON. @param name of the event, where the protocol has names. */
  read(event: unknown, name?: string): readonly Event[];
  /** The provider said that its answer is over, by `[DONE]` or one whole JSON. */
  finish(): void;
  /** Events after the last; none after an answer that was cut off. */
  end(): readonly Event[];
  /** The provider's error in the form of the protocol. */
  refuse(error: SaidError): Event;
  /** The provider has ended the answer, it seems; more may still come. */
  readonly over: Over;
  /** Words, calls or pictures were read. */
  readonly hasWords: boolean;
}

/** Facts that a reader cannot put into the provider's protocol, for the parts of its answer. */
export interface ReadCall {
  /** By the text that stands in their place. */
  readonly files: Map<string, ReadFile>;
  /** Thoughts that the package would drop, in the same way. */
  readonly thoughts: Map<string, string>;
  /** As the provider gave it, or an empty text for a plain end; `null` for an answer that was cut off. */
  end: string | null;
  /** The first error of the provider's. It comes last: the packages read no word after it. */
  refusal: SaidError | null;
  /** Numbers of tokens that the provider reported: its package writes 0 for the others. */
  readonly reported: { input: boolean; output: boolean };
}

export function newReadCall(): ReadCall {
  return {
    files: new Map(),
    thoughts: new Map(),
    end: null,
    refusal: null,
    reported: { input: false, output: false },
  };
}
