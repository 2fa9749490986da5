import type { OpenedCode } from "./open-preview";

const endings: Readonly<Record<string, string>> = {
  javascript: "js",
  typescript: "ts",
  python: "py",
  ruby: "rb",
  rust: "rs",
  markdown: "md",
  mermaid: "mmd",
  bash: "sh",
  shell: "sh",
  csharp: "cs",
  kotlin: "kt",
};

function fileNameOf(language: string): string {
  const name = language.toLowerCase();
  const ending = endings[name] ?? (/^[a-z0-9]{1,10}$/.test(name) ? name : "txt");
  return `code.${ending}`;
}

/** Code goes as bytes, so that no browser opens a page of a model in this page's origin. */
export function downloadCode({ code, language }: OpenedCode): void {
  const address = URL.createObjectURL(new Blob([code], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileNameOf(language);
  link.click();
  URL.revokeObjectURL(address);
}
