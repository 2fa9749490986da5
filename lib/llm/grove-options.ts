import { z } from "zod";

export type CallPurpose = "title" | "summary";

const schema = z.object({
  purpose: z.enum(["title", "summary"]).optional().catch(undefined),
  variation: z.number().int().nonnegative().optional().catch(undefined),
  withoutCaching: z.boolean().optional().catch(undefined),
  parallelCalls: z.boolean().optional().catch(undefined),
});

type GroveCallOptions = z.infer<typeof schema>;

interface GivenOptions {
  purpose?: CallPurpose;
  variation?: number;
  withoutCaching?: boolean;
  parallelCalls?: boolean;
}

export function groveOptions(options: GivenOptions): {
  grove: { [Name in keyof GivenOptions]: GivenOptions[Name] };
} {
  return { grove: options };
}

export function readGroveOptions(providerOptions: unknown): GroveCallOptions {
  const parsed = z.object({ grove: schema }).safeParse(providerOptions);
  return parsed.success ? parsed.data.grove : {};
}
