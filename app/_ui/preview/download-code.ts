import { saveFile } from "@/app/_ui/save-file";
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

export function downloadCode({ code, language }: OpenedCode): void {
  saveFile(fileNameOf(language), code);
}
