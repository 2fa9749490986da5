import type { SearchHitWire } from "@/lib/chat/wire/search";
import { markedText } from "./marked-text";

/** A piece of a document with the words that were searched for marked. */
export function Snippet({ snippet }: { snippet: SearchHitWire["snippet"] }) {
  return (
    <span className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
      {markedText(snippet.text, snippet.marks).map((stretch, index) => {
        const key = `${index}-${stretch.text}`;
        return stretch.isMarked ? (
          <mark key={key}>{stretch.text}</mark>
        ) : (
          <span key={key}>{stretch.text}</span>
        );
      })}
    </span>
  );
}
