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

/** A block as it is now. A provider that fails is told in the block itself, so that it takes no other block down. */
export async function readBlock(block: RegisteredBlock, deadlineMs: number): Promise<ContextBlock> {
  try {
    return describeBlock(block, await readContent(block, deadlineMs));
  } catch (error) {
    return { ...describeBlock(block, { content: "" }), error: messageOf(error) };
  }
}

/** @throws {ProviderFailedError} */
export function readContent(block: RegisteredBlock, deadlineMs: number): Promise<BlockContent> {
  const { label, provider } = block;
  return callProvider({ label, deadlineMs }, async () => {
    if (isVersionReader(provider)) return provider.read();
    const content: unknown = (await provider.get()) ?? "";
    if (typeof content === "string") return { content };
    throw new ProviderFailedError(label, "its provider gave something that is not text");
  });
}

/** The provider of a block that is written entry by entry under keys; `null` for one written as a whole. */
export function keyedProvider({
  provider,
}: RegisteredBlock): SkillProvider | SearchProvider | null {
  return isSkillProvider(provider) || isSearchProvider(provider) ? provider : null;
}

function describeBlock(block: RegisteredBlock, { content, version }: BlockContent): ContextBlock {
  const { label, description, maxTokens, provider } = block;
  return {
    label,
    ...(description !== undefined && { description }),
    content,
    tokens: estimateStringTokens(content),
    ...(maxTokens !== undefined && { maxTokens }),
    writable: isWritableProvider(provider),
    isSkill: isSkillProvider(provider),
    isSearchable: isSearchProvider(provider),
    ...(version !== undefined && { version }),
  };
}
