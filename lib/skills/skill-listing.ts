import { cutText } from "@/lib/session";
import type { ListedSkill } from "./skill-source";

const maxDescriptionCharacters = 1_024;

/**
 * What the prompt says about skills: `- key: description`, one a line; `null` when there is none. One that cannot be
 * loaded says so itself.
 */
export function skillListing(skills: readonly ListedSkill[]): string | null {
  return skills.length === 0 ? null : skills.map(line).join("\n");
}

/** In order of their keys, as every skill block lists them. */
export function byKey(first: { readonly key: string }, second: { readonly key: string }): number {
  return first.key < second.key ? -1 : 1;
}

function line({ key, description, problem }: ListedSkill): string {
  if (problem !== null) return `- ${oneLine(key)}: (cannot be loaded: ${oneLine(problem)})`;
  const words = description === null ? "" : oneLine(description);
  return words === "" ? `- ${oneLine(key)}` : `- ${oneLine(key)}: ${words}`;
}

/** A file says what it likes, and a line break in it must not look like another skill. */
function oneLine(text: string): string {
  return cutText(text.replace(/[\s\p{Cc}]+/gu, " ").trim(), maxDescriptionCharacters);
}
