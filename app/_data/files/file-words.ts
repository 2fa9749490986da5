import { apiPath } from "@/app/_api/api-path";
import { countOf, formatCompact, formatCount, formatNumber } from "@/app/_ui/format-amount";
import { pageSpace } from "@/app/_ui/page-space";
import { type FileFacts, fileKind } from "@/lib/chat/wire/files";

export const readKinds = "Images, PDF, Word (docx), Excel (xlsx), PowerPoint (pptx), text and code";

export function fileAddress(
  { sha256, name }: { sha256: string; name?: string },
  space: string | null = pageSpace,
): string {
  const query = name ? `?${new URLSearchParams({ name })}` : "";
  return apiPath(`/api/files/${encodeURIComponent(sha256)}${query}`, space);
}

/** `812 B`, `1.2 MB`; a megabyte is a million bytes. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${formatCount(bytes)} B`;
  const [unit = "GB", size = 1_000_000_000] = units.find(([, each]) => bytes < 1_000 * each) ?? [];
  const amount = bytes / size;
  return `${formatNumber(amount, amount < 10 ? 1 : 0)} ${unit}`;
}

const units: readonly (readonly [string, number])[] = [
  ["KB", 1_000],
  ["MB", 1_000_000],
  ["GB", 1_000_000_000],
];

export function fileLine(file: FileFacts & { readonly size: number }): string {
  const { size, width, height, pages, tokens } = file;
  return [
    fileSize(size),
    width && height ? `${width} × ${height}` : "",
    pages ? countOf(pages, "page") : "",
    tokens ? `~${formatCompact(tokens)} token${tokens === 1 ? "" : "s"}` : "",
  ]
    .filter((each) => each !== "")
    .join(" · ");
}

const typeNames: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint",
  "application/vnd.oasis.opendocument.text": "OpenDocument text",
  "application/vnd.oasis.opendocument.spreadsheet": "OpenDocument sheet",
  "application/vnd.oasis.opendocument.presentation": "OpenDocument slides",
  "application/json": "JSON",
  "application/zip": "ZIP",
  "message/rfc822": "E-mail",
  "text/csv": "CSV",
  "text/html": "Web page, as text",
  "text/markdown": "Markdown",
  "image/svg+xml": "SVG",
};

export function typeName(mediaType: string): string {
  const known = typeNames[mediaType];
  if (known) return known;
  if (mediaType.startsWith("image/")) return "Image";
  return fileKind({ mediaType }) === "text" ? "Text" : "File";
}
