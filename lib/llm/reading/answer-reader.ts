import type { Over } from "./ends";
import type { ReadFile } from "./pictures";
import type { SaidError } from "./provider-words";

export type Event = object;

export const unnamedTool = "unnamed_tool";

/** Repairs one answer event by event: the returned events are well formed and hold every word. */
export interface AnswerReader {
  read(event: unknown, name?: string): readonly Event[];
  finish(): void;
  end(): readonly Event[];
  refuse(error: SaidError): Event;
  readonly over: Over;
  readonly hasWords: boolean;
}

export interface ReadCall {
  readonly files: Map<string, ReadFile>;
  readonly thoughts: Map<string, string>;
  /** `""` for an end without a reason, `null` for an interrupted answer. */
  end: string | null;
  /** Sent last, because the packages read no word after an error. */
  refusal: SaidError | null;
  /** The provider's package writes 0 for counts not reported. */
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
