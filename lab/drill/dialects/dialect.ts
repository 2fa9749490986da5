import type { Feature } from "@/lib/llm";
import type { FakeWire } from "@/lib/llm/testing/fake-wires";

/** A request as far as quirks look at it; each format has some of these. */
export interface SentBody {
  readonly messages: readonly SentMessage[];
  readonly tools?: readonly { readonly function?: SentTool }[];
  readonly [field: string]: unknown;
}

interface SentTool {
  readonly name: string;
  readonly parameters?: unknown;
}

export interface SentMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly extra_content?: unknown }[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A feature the server refuses altogether, which a client may leave out. */
  readonly feature?: Feature;
  /** Grove asks again without the refused field. */
  readonly isAskedAgain?: true;
}

/** One demand of a server; `null` for a request that meets it. */
export type RequestQuirk = (body: SentBody) => Refused | null;

/** Changes the events of a stream, each with its end. */
export type StreamQuirk = (events: readonly string[]) => readonly string[];

/** A server as strict and as odd as a product is documented to be. */
export interface Dialect {
  readonly name: string;
  readonly wire: FakeWire;
  readonly requires?: readonly RequestQuirk[];
  readonly streams?: readonly StreamQuirk[];
  /** The body of a refusal. Default: OpenAI's. */
  readonly refusal?: (refused: Refused) => unknown;
}
