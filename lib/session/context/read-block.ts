import {
  isSearchProvider,
  isSkillProvider,
  isVersionReader,
  isWritableProvider,
  type SearchProvider,
  type SkillProvider,
} from "@/lib/session/context-provider";
import { ProviderFailedError } from "@/lib/session/errors";
import { estimateStringTokens } from "@/lib/session/tokens/estimate-tokens";
import { callProvider, messageOf } from "./call-provider";
import type { ContextBlock, RegisteredBlock } from "./context-block";

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
