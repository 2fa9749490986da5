import { z } from "zod";

export type CallPurpose = "title" | "summary";

const schema = z.object({
  purpose: z.enum(["title", "summary"]).optional().catch(undefined),
  variation: z.number().int().nonnegative().optional().catch(undefined),
  withoutCaching: z.boolean().optional().catch(undefined),
});

type GroveOptions = z.infer<typeof schema>;

/**
 * Provider options for Grove's own middleware and the demo model, ignored by others.
 *
 * @param options.variation number of existing siblings, so that a regenerated answer differs.
 */
export function groveOptions(options: {
  purpose?: CallPurpose;
  variation?: number;
  withoutCaching?: boolean;
}): { grove: { purpose?: CallPurpose; variation?: number; withoutCaching?: boolean } } {
  return { grove: options };
}

/** Anything else than the output of `groveOptions` counts as empty. */
export function readGroveOptions(providerOptions: unknown): GroveOptions {
  const parsed = z.object({ grove: schema }).safeParse(providerOptions);
  return parsed.success ? parsed.data.grove : {};
}
