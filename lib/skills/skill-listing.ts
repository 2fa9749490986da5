import { capOutput } from "../session/internal";
import type { ListedSkill } from "./skill-source";

const maxDescriptionCharacters = 1_024;

/**
 * Skills for the prompt, one per line: `- key: description`; `null` when there are none. One that cannot be loaded says
 * so.
 */
export function skillListing(skills: readonly ListedSkill[]): string | null {
  return skills.length === 0 ? null : skills.map(line).join("\n");
}

export function byKey(first: { readonly key: string }, second: { readonly key: string }): number {
  return first.key < second.key ? -1 : 1;
}

function line({ key, description, problem }: ListedSkill): string {
  if (problem !== null) return `- ${oneLine(key)}: (cannot be loaded: ${oneLine(problem)})`;
  const words = description === null ? "" : oneLine(description);
  return words === "" ? `- ${oneLine(key)}` : `- ${oneLine(key)}: ${words}`;
}

/** A line break in a file's text must not look like another skill. */
function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return String(capOutput(line, maxDescriptionCharacters)?.output ?? line);
}
