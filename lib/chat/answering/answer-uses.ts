import type { UseWire } from "@/lib/chat/wire/context";
import type { LoadedSkill, SessionMessagePart } from "@/lib/session";
import { promptSections, skillEvents } from "@/lib/session/internal";

/** Non-empty blocks of the prompt and loaded skills. */
export function usesAtStart(prompt: string, skills: readonly LoadedSkill[]): UseWire[] {
  const blocks = promptSections(prompt).filter(({ content }) => content.trim() !== "");
  return [
    ...blocks.map(
      ({ label }) => ({ label: label.toLowerCase(), key: null, how: "prompt" }) as const,
    ),
    ...skills.map(({ label, key }) => ({ label, key, how: "loaded" }) as const),
  ];
}

/** Everything an answer used, without duplicates: its prompt, search results and loaded skills. */
export function usesAtEnd(
  start: readonly UseWire[],
  { found, parts }: { found: readonly LoadedSkill[]; parts: readonly SessionMessagePart[] },
): UseWire[] {
  const loaded = skillEvents({ parts }).filter(({ action }) => action === "load");
  const uses: UseWire[] = [
    ...start,
    ...loaded.map(({ label, key }) => ({ label, key, how: "loaded" }) as const),
    ...found.map(({ label, key }) => ({ label, key, how: "found" }) as const),
  ];
  const named = new Map(
    uses.toReversed().map((use) => [JSON.stringify([use.label, use.key]), use]),
  );
  return [...named.values()].toReversed();
}
