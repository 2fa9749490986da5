/** Marks a text that holds a thought between two of its characters. */
export interface HeldThought {
  readonly thought: readonly [from: number, to: number];
}

interface Part {
  readonly type: string;
  readonly text?: unknown;
  readonly providerMetadata?: unknown;
}

/** Text before a closing tag of a thought is a thought; a thought that never closed is text, with its opening tag. */
export function meantPart<Given extends Part>(part: Given): Given {
  const { grove, ...others } = (part.providerMetadata ?? {}) as Readonly<Record<string, unknown>>;
  if (grove === undefined || (part.type !== "text" && part.type !== "reasoning")) return part;
  const { meant, opening = "" } = fieldsOf(grove);
  if ((meant !== "text" && meant !== "reasoning") || typeof opening !== "string") return part;
  const { providerMetadata: _, ...rest } = part;
  return {
    ...rest,
    type: meant,
    text: opening + String(part.text ?? ""),
    ...(Object.keys(others).length > 0 && { providerMetadata: others }),
  } as unknown as Given;
}

export function meantParts<Given extends Part>(part: Given): readonly Given[] {
  const { grove, ...others } = (part.providerMetadata ?? {}) as Readonly<Record<string, unknown>>;
  const thought = part.type === "text" ? fieldsOf(grove).thought : undefined;
  if (!isRange(thought)) return [meantPart(part)];
  const [from, to] = thought;
  const text = String(part.text ?? "");
  const { providerMetadata: _, ...rest } = part;
  const noted = Object.keys(others).length > 0 && { providerMetadata: others };
  return [
    { ...rest, text: text.slice(0, from) + text.slice(to), ...noted },
    { ...rest, type: "reasoning", text: text.slice(from, to) },
  ] as unknown as Given[];
}

export function meantMessage<Message extends { readonly parts: readonly Part[] }>(
  message: Message,
): Message {
  const parts = message.parts.flatMap((part) => meantParts(part));
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
}

// A schema would bring its library into the first script of every page.
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isRange(value: unknown): value is HeldThought["thought"] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((place) => Number.isSafeInteger(place) && place >= 0)
  );
}
