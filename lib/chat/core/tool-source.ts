import type { Tool } from "ai";
import type { QuestionAnswer, QuestionWire } from "@/lib/chat/wire/questions";
import type { ToolOrigin, ToolPolicy } from "@/lib/chat/wire/tools";
import type { ModelInfo } from "@/lib/llm";

/** Asks the person, and waits. Declined or cancelled is an answer, too. @throws when the signal aborts. */
export type AskPerson = (
  question: Pick<QuestionWire, "server" | "text" | "ask">,
  options: {
    readonly signal: AbortSignal;
    readonly onAsked: (question: QuestionWire) => void;
  },
) => Promise<QuestionAnswer>;

/** One answer, for its tools. */
export interface ToolRun {
  readonly sessionId: string;
  /** `null` where nothing will be called, as for the gauge. */
  readonly messageId: string | null;
  readonly model: Pick<ModelInfo, "ref" | "provider" | "webSearch">;
  /** The person decides before each call, so a tool that the provider runs will not do. */
  readonly isAsked: boolean;
  /** `null` where nobody can be asked, as by a program. */
  readonly ask: AskPerson | null;
  /** Registers what to close when the run ends, however it ends. */
  readonly atEnd: (close: () => Promise<void> | void) => void;
}

/** A tool of an owner, from outside Grove's memory. */
export interface OwnerTool {
  /** As models call it, and the key of its policy: up to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** As a person reads it. */
  readonly title: string;
  /** A sentence for the settings page. */
  readonly note: string;
  readonly origin: ToolOrigin;
  /** Of a server of tools. */
  readonly serverId?: string;
  /** Changes with what the tool says it does, so that a person who allowed it is asked again. */
  readonly version?: string;
  /** Without a choice of the person. */
  readonly defaultPolicy: ToolPolicy;
  /**
   * The AI SDK's tool: description, JSON schema, and `execute` with `abortSignal`, which yields progress as
   * preliminary outputs. `null` when the model cannot have it.
   */
  make(run: ToolRun): Tool | null;
}

/** Answers wait for it, so it reads only what this process or its database has. Names are unique in all sources. */
export interface ToolSource {
  tools(): Promise<readonly OwnerTool[]> | readonly OwnerTool[];
  /** Called after the owner's settings have changed. */
  forget?(): void;
}

export interface ChosenTool {
  readonly tool: OwnerTool;
  readonly policy: ToolPolicy;
  /** It says something else than when the person turned it on, so it asks first. */
  readonly isChanged: boolean;
}

/** The tools of one owner beyond memory, with what the person chose for each. */
export interface ChosenTools {
  /** In the order of the sources. */
  list(): Promise<ChosenTool[]>;
  choose(policies: Readonly<Record<string, ToolPolicy>>): Promise<void>;
  /** Call after the owner's settings have changed. */
  forget(): void;
}
