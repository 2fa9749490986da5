export interface Fence {
  readonly language: string;
  readonly code: string;
  readonly isClosed: boolean;
}

export function fenceAt(line: string): string | null {
  const match = /^(`{3,}|~{3,})([^\n]*)/.exec(line);
  const [, marks, info] = match ?? [];
  if (marks === undefined) return null;
  return marks.startsWith("`") && info?.includes("`") ? null : marks;
}

/** Code skips the Markdown parser, so it needs no length limit. */
export function readFence(block: string): Fence | null {
  const marks = fenceAt(block);
  if (!marks) return null;
  const firstEnd = block.indexOf("\n");
  const info = (firstEnd === -1 ? block : block.slice(0, firstEnd)).slice(marks.length).trim();
  const body = firstEnd === -1 ? "" : block.slice(firstEnd + 1).trimEnd();
  const lastStart = body.lastIndexOf("\n") + 1;
  const isClosed = isClosingFence(body.slice(lastStart), marks);
  const code = isClosed ? body.slice(0, Math.max(0, lastStart - 1)) : body;
  return { language: info.split(/\s/)[0] ?? "", code, isClosed };
}

export function isClosingFence(line: string, marks: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= marks.length && trimmed === (marks[0] ?? "").repeat(trimmed.length);
}
