import { z } from "zod";
import { cleanText } from "@/lib/chat/core/clean-text";
import { isNestedTooDeeply } from "@/lib/text/json-depth";
import type { CompactionItem } from "./items";

const compactedPlace = z.object({ sessionId: z.string(), leafId: z.string() });
const compactedItems = z.object({ items: z.array(z.unknown()) });

const compacted = z.union([compactedPlace, compactedItems]);
type Compacted = z.output<typeof compacted>;

export function sealed(content: Compacted): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

export function openCompaction({ encrypted_content: content }: CompactionItem): Compacted | null {
  return compacted.safeParse(jsonIn(content)).data ?? null;
}

function jsonIn(content: string): unknown {
  const text = Buffer.from(content, "base64url").toString();
  if (isNestedTooDeeply(text)) return null;
  try {
    return cleanText(JSON.parse(text));
  } catch {
    return null;
  }
}
