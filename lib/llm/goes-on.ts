import type { ModelProvider } from "./model-provider";

/**
 * Claude 4.6 and later refuse an input that ends with an answer; some other models begin again.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/prompt-engineering/prefill-claudes-response
 */
export function goesOnWith({ kind }: Pick<ModelProvider, "kind">, modelId: string): boolean {
  if (kind !== "anthropic") return false;
  const [, major, minor] = /^claude-[a-z]+-(\d)-?(\d{1,2})?(?:-\d{8})?$/.exec(modelId) ?? [];
  if (major === undefined) return /^claude-3(-|$)/.test(modelId);
  return Number(major) === 4 && Number(minor ?? 0) <= 5;
}
