import type { SnippetWire } from "@/lib/chat/wire/search";

export function MarkedWords({ text: { text, marks } }: { text: SnippetWire }) {
  const stretches = markedText(text, marks).map((stretch, index) => {
    const key = `${index} ${stretch.text}`;
    return stretch.isMarked ? (
      <mark key={key}>{stretch.text}</mark>
    ) : (
      <span key={key}>{stretch.text}</span>
    );
  });
  return <bdi>{stretches}</bdi>;
}

interface TextStretch {
  text: string;
  isMarked: boolean;
}

export function markedText(text: string, marks: readonly [number, number][]): TextStretch[] {
  const stretches: TextStretch[] = [];
  let at = 0;
  for (const [from, to] of marks.toSorted(([a], [b]) => a - b)) {
    const start = Math.max(at, from);
    const end = Math.min(text.length, to);
    if (end <= start) continue;
    if (start > at) stretches.push({ text: text.slice(at, start), isMarked: false });
    stretches.push({ text: text.slice(start, end), isMarked: true });
    at = end;
  }
  if (at < text.length) stretches.push({ text: text.slice(at), isMarked: false });
  return stretches;
}

export function Snippet({ snippet }: { snippet: SnippetWire }) {
  return (
    <span className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
      <MarkedWords text={snippet} />
    </span>
  );
}
