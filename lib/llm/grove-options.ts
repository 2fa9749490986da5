import { z } from "zod";

/** What a call is for, where it is not an answer in a conversation. */
export type CallPurpose = "title" | "summary";

const schema = z.object({
  purpose: z.enum(["title", "summary"]).optional().catch(undefined),
  variation: z.number().int().nonnegative().optional().catch(undefined),
});

type GroveOptions = z.infer<typeof schema>;

/**
 * Provider options that only the demo model reads; every other provider ignores what is not under its own name.
 *
 * @param options.variation how many siblings the answer already has, so that a regenerated one differs.
 */
export function groveOptions(options: { purpose?: CallPurpose; variation?: number }): {
  grove: { purpose?: CallPurpose; variation?: number };
} {
  return { grove: options };
}

/** Reads what `groveOptions` wrote; anything else is as good as nothing. */
export function readGroveOptions(providerOptions: unknown): GroveOptions {
  const parsed = z.object({ grove: schema }).safeParse(providerOptions);
  return parsed.success ? parsed.data.grove : {};
}
