import { z } from "zod";

const marked = z.object({
  meant: z.enum(["text", "reasoning"]),
  opening: z.string().optional(),
});

/** Marks a text that holds a thought between two of its characters. */
export interface HeldThought {
  readonly thought: readonly [from: number, to: number];
}

const holding = z.object({ thought: z.tuple([z.int().min(0), z.int().min(0)]) });

interface Part {
  readonly type: string;
  readonly text?: unknown;
  readonly providerMetadata?: unknown;
}

/**
 * The part as its end says it was meant: text before a closing tag of a thought is a thought, and a thought that never
 * closed is text, with the tag that opened it. Other parts are returned as they are.
 */
export function meantPart<Given extends Part>(part: Given): Given {
  const { grove, ...others } = (part.providerMetadata ?? {}) as Readonly<Record<string, unknown>>;
  if (grove === undefined || (part.type !== "text" && part.type !== "reasoning")) return part;
  const { meant, opening = "" } = marked.safeParse(grove).data ?? {};
  if (meant === undefined) return part;
  const { providerMetadata: _, ...rest } = part;
  return {
    ...rest,
    type: meant,
    text: opening + String(part.text ?? ""),
    ...(Object.keys(others).length > 0 && { providerMetadata: others }),
  } as unknown as Given;
}

/** Two parts for a text that holds a thought: the text without it comes first. */
export function meantParts<Given extends Part>(part: Given): readonly Given[] {
  const { grove, ...others } = (part.providerMetadata ?? {}) as Readonly<Record<string, unknown>>;
  const held = part.type === "text" ? holding.safeParse(grove).data : undefined;
  if (!held) return [meantPart(part)];
  const [from, to] = held.thought;
  const text = String(part.text ?? "");
  const { providerMetadata: _, ...rest } = part;
  const noted = Object.keys(others).length > 0 && { providerMetadata: others };
  return [
    { ...rest, text: text.slice(0, from) + text.slice(to), ...noted },
    { ...rest, type: "reasoning", text: text.slice(from, to) },
  ] as unknown as Given[];
}

/** The same message when no part was meant otherwise. */
export function meantMessage<Message extends { readonly parts: readonly Part[] }>(
  message: Message,
): Message {
  const parts = message.parts.flatMap((part) => meantParts(part));
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
}
