import type { BlockScope, BlockWriters } from "../block-store";
import {
  type AnyContextProvider,
  type ContextBlock,
  isKeyedProvider,
  isVersionReader,
  isWritableProvider,
  keyedKinds,
  type SearchProvider,
  type SkillProvider,
} from "../context-provider";
import { isSessionError, ProviderFailedError, type SessionError } from "../errors";
import type { MaybePromise } from "../session-provider";
import { estimateStringTokens } from "../tokens/estimate-tokens";

export interface ContextOptions {
  /** Stays when the label changes. Default: the label. */
  readonly blockId?: string | undefined;
  readonly description?: string | undefined;
  /** Larger writes are refused. */
  readonly maxTokens?: number | undefined;
  /** Default `"both"`. */
  readonly writers?: BlockWriters | undefined;
  readonly initial?: string | undefined;
  /** A provider, or a function from a session id. Default: a writable document of the storage. */
  readonly provider?: AnyContextProvider | ((sessionId: string) => AnyContextProvider) | undefined;
  /** Without a provider: the document belongs to this session (default) or to all of its owner's. */
  readonly scope?: BlockScope | undefined;
}

export interface ContextDefinition extends ContextOptions {
  readonly label: string;
}

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

/** A failure stays in the block, so that others are unaffected. */
export async function readBlock(block: RegisteredBlock, deadlineMs: number): Promise<ContextBlock> {
  try {
    return describeBlock(block, await readContent(block, deadlineMs));
  } catch (error) {
    return { ...describeBlock(block, { content: "" }), error: messageOf(error) };
  }
}

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

export function keyedProvider({
  provider,
}: RegisteredBlock): SkillProvider | SearchProvider | null {
  return isKeyedProvider(provider) ? provider : null;
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
    isSkill: keyedKinds.loadable.isProvider(provider),
    isSearchable: keyedKinds.searchable.isProvider(provider),
    ...(version !== undefined && { version }),
  };
}

interface ProviderCall {
  readonly label: string;
  readonly deadlineMs: number;
}

/** @throws {ProviderFailedError} when it throws or times out; errors of this library pass unchanged. */
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asSessionError(label: string, error: unknown): SessionError {
  if (isSessionError(error)) return error;
  return new ProviderFailedError(label, messageOf(error), { cause: error });
}
