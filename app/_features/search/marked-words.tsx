import type { SnippetWire } from "@/lib/chat/wire/search";
import { markedText } from "./marked-text";

export function MarkedWords({ text: { text, marks } }: { text: SnippetWire }) {
  return markedText(text, marks).map((stretch, index) => {
    const key = `${index} ${stretch.text}`;
    return stretch.isMarked ? (
      <mark key={key}>{stretch.text}</mark>
    ) : (
      <span key={key}>{stretch.text}</span>
    );
  });
}
