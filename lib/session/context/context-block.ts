import type { BlockScope, BlockWriters } from "@/lib/session/block-store";
import {
  type AnyContextProvider,
  type ContextBlock,
  isSearchProvider,
  isSkillProvider,
  isVersionReader,
  isWritableProvider,
  type SearchProvider,
  type SkillProvider,
} from "@/lib/session/context-provider";
import { isSessionError, ProviderFailedError, type SessionError } from "@/lib/session/errors";
import type { MaybePromise } from "@/lib/session/session-provider";
import { estimateStringTokens } from "@/lib/session/tokens/estimate-tokens";

/** Describes a block of a session. */
export interface ContextOptions {
  /** Its id in the storage, which stays when the label changes. Omitted: the label. */
  readonly blockId?: string | undefined;
  readonly description?: string | undefined;
  /** The most tokens its content may have; a write over it is refused. */
  readonly maxTokens?: number | undefined;
  /** Default `"both"`. */
  readonly writers?: BlockWriters | undefined;
  /** The content while nothing has been written. */
  readonly initial?: string | undefined;
  /**
   * Source of the content, or a function that finds it for a session id. Default: a writable document of the
   * session's storage.
   */
  readonly provider?: AnyContextProvider | ((sessionId: string) => AnyContextProvider) | undefined;
  /** Without a provider: whether the document belongs to this session (default) or to all of its owner's. */
  readonly scope?: BlockScope | undefined;
}

/** A block as given to the constructor of a session. */
export interface ContextDefinition extends ContextOptions {
  readonly label: string;
}

/** A registered block: its set-up with the provider found for it. */
export interface RegisteredBlock
  extends Pick<ContextOptions, "description" | "maxTokens" | "writers" | "initial"> {
  readonly id: string;
  readonly label: string;
  readonly provider: AnyContextProvider;
}

interface BlockContent {
  readonly content: string;
  readonly version?: number;
}

/** Reads a block. A failure is recorded in the block, so that others are unaffected. */
export async function readBlock(block: RegisteredBlock, deadlineMs: number): Promise<ContextBlock> {
  try {
    return describeBlock(block, await readContent(block, deadlineMs));
  } catch (error) {
    return { ...describeBlock(block, { content: "" }), error: messageOf(error) };
  }
}

/** @throws {ProviderFailedError} */
export function readContent(block: RegisteredBlock, deadlineMs: number): Promise<BlockContent> {
  const { label, provider, initial } = block;
  return callProvider({ label, deadlineMs }, async () => {
    if (isVersionReader(provider)) {
      const read = await provider.read();
      return read.version === 0 && initial !== undefined ? { ...read, content: initial } : read;
    }
    const content: unknown = (await provider.get()) ?? initial ?? "";
    if (typeof content === "string") return { content };
    throw new ProviderFailedError(label, "its provider gave something that is not text");
  });
}

/** The provider of a block written by key; `null` for one written whole. */
export function keyedProvider({
  provider,
}: RegisteredBlock): SkillProvider | SearchProvider | null {
  return isSkillProvider(provider) || isSearchProvider(provider) ? provider : null;
}

function describeBlock(block: RegisteredBlock, { content, version }: BlockContent): ContextBlock {
  const { id, label, description, maxTokens, provider, writers } = block;
  return {
    id,
    label,
    ...(description !== undefined && { description }),
    content,
    tokens: estimateStringTokens(content),
    ...(maxTokens !== undefined && { maxTokens }),
    writable: isWritableProvider(provider) && writers !== "person",
    isSkill: isSkillProvider(provider),
    isSearchable: isSearchProvider(provider),
    ...(version !== undefined && { version }),
  };
}

/** The block of a provider call, and its timeout in milliseconds. */
interface ProviderCall {
  readonly label: string;
  readonly deadlineMs: number;
}

/**
 * Calls a provider within a deadline. @throws {ProviderFailedError} when it throws or does not answer in time; errors
 * of this library pass unchanged.
 */
export async function callProvider<Answer>(
  { label, deadlineMs }: ProviderCall,
  call: () => MaybePromise<Answer>,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new ProviderFailedError(label, `no answer within ${deadlineMs / 1_000} s`);
    timer = setTimeout(() => reject(error), deadlineMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(call), late]);
  } catch (error) {
    throw asSessionError(label, error);
  } finally {
    clearTimeout(timer);
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asSessionError(label: string, error: unknown): SessionError {
  if (isSessionError(error)) return error;
  return new ProviderFailedError(label, messageOf(error), { cause: error });
}
