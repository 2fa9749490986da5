import { plainMarkdown } from "grove-session/browser";

const maxLength = 300;

export function plainName(text = ""): string {
  return plainMarkdown(text.slice(0, 2 * maxLength))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}
