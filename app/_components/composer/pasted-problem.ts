const MAX_MESSAGE_LENGTH = 200_000;

/** Why `pasted` cannot join a draft of `draftLength` characters, as a sentence; `null` when it can. */
export function pastedProblem(draftLength: number, pasted: string): string | null {
  if (draftLength + pasted.length <= MAX_MESSAGE_LENGTH) return null;
  const length = pasted.length.toLocaleString("en");
  return `Not pasted: that is ${length} characters, and a message holds 200,000. Paste it in parts.`;
}
