import type { SnippetWire } from "@/lib/chat/wire/search";
import { MarkedWords } from "./marked-words";

export function Snippet({ snippet }: { snippet: SnippetWire }) {
  return (
    <span className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
      <MarkedWords text={snippet} />
    </span>
  );
}
