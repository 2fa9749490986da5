import { z } from "zod";

const marked = z.object({
  meant: z.enum(["text", "reasoning"]),
  opening: z.string().optional(),
});

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

/** The same message when no part was meant otherwise. */
export function meantMessage<Message extends { readonly parts: readonly Part[] }>(
  message: Message,
): Message {
  const parts = message.parts.map(meantPart);
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
}
