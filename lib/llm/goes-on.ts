import type { ModelProvider } from "./model-provider";

/**
 * Returns true for models that write on at the end of an answer that comes last in their input. Claude 4.6 and later refuse
 * such an input; some models of other providers begin again, so they are asked in words.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/prompt-engineering/prefill-claudes-response
 */
export function goesOnWith({ kind }: Pick<ModelProvider, "kind">, modelId: string): boolean {
  if (kind !== "anthropic") return false;
  const [, major, minor] = /^claude-[a-z]+-(\d)-?(\d{1,2})?(?:-\d{8})?$/.exec(modelId) ?? [];
  if (major === undefined) return /^claude-3(-|$)/.test(modelId);
  return Number(major) === 4 && Number(minor ?? 0) <= 5;
}
