import type { Tool } from "ai";
import type { QuestionAnswer, QuestionWire } from "@/lib/chat/wire/questions";
import type { ToolOrigin, ToolPolicy } from "@/lib/chat/wire/tools";
import type { ModelInfo } from "@/lib/llm";
import type { NamedFile } from "./file-store";

/** Declining and cancelling are answers, too. @throws when the signal aborts. */
export type AskPerson = (
  question: Pick<QuestionWire, "server" | "text" | "ask">,
  options: {
    readonly signal: AbortSignal;
    readonly onAsked: (question: QuestionWire) => void;
  },
) => Promise<QuestionAnswer>;

/** Files of the answer's place, and those that its chat names up to the question. */
export interface FilesOfRun {
  readonly ofPlace: boolean;
  ofPath(): Promise<readonly NamedFile[]>;
}

export interface ToolRun {
  readonly sessionId: string;
  /** `null` where nothing will be called, as for the gauge. */
  readonly messageId: string | null;
  readonly model: Pick<ModelInfo, "ref" | "provider" | "webSearch">;
  /** The person decides before each call, which excludes tools that the provider runs. */
  readonly isAsked: boolean;
  readonly files?: FilesOfRun | null | undefined;
  /** `null` when nobody can be asked, as by a program. */
  readonly ask: AskPerson | null;
  readonly atEnd: (close: () => Promise<void> | void) => void;
}

export interface OwnerTool {
  /** The name for models, and the key of its policy: up to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly origin: ToolOrigin;
  readonly serverId?: string;
  /** An estimate for its definition. Tools without one are never left out of a request. */
  readonly tokens?: number;
  /** Changes with the tool's description, so that a person who allowed it is asked again. */
  readonly version?: string;
  readonly defaultPolicy: ToolPolicy;
  readonly readsFiles?: boolean;
  /**
   * `execute` takes `abortSignal` and yields progress as preliminary outputs. `null` when the model cannot have the
   * tool.
   */
  make(run: ToolRun): Tool | null;
}

/** Answers wait for this, so it reads only this process or its database. Names are unique in all sources. */
export interface ToolSource {
  tools(): Promise<readonly OwnerTool[]> | readonly OwnerTool[];
  forget?(): void;
}

export interface ChosenTool {
  readonly tool: OwnerTool;
  readonly policy: ToolPolicy;
  readonly isChanged: boolean;
}

export interface ChosenTools {
  list(ofChat?: { readonly web: boolean | undefined }): Promise<ChosenTool[]>;
  /** `null` where nothing was chosen: the tool's default holds. */
  chosenPolicy(name: string): Promise<ToolPolicy | null>;
  choose(policies: Readonly<Record<string, ToolPolicy>>): Promise<void>;
  forget(): void;
}
