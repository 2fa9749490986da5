const fence = /^ {0,3}(`{3,}|~{3,})/;

export function isInCode(text: string): boolean {
  let open: string | null = null;
  let paragraph: string[] = [];
  const lines = text.split("\n");
  for (const line of lines) {
    const [, mark] = fence.exec(line) ?? [];
    if (mark !== undefined && (open === null || closes(line, open))) {
      open = open === null ? mark : null;
      paragraph = [];
    } else if (open === null) {
      if (line.trim() === "") paragraph = [];
      else paragraph.push(line);
    }
  }
  if (open !== null) return true;
  return lines.at(-1)?.trim() !== "" && isSpanOpen(paragraph.join("\n"));
}

function closes(line: string, open: string): boolean {
  const text = line.trim();
  return text.length >= open.length && text === (open[0] ?? "").repeat(text.length);
}

function isSpanOpen(text: string): boolean {
  let open: number | null = null;
  for (const [signs] of text.matchAll(/`+/g)) {
    if (open === null) open = signs.length;
    else if (open === signs.length) open = null;
  }
  return open !== null;
}
