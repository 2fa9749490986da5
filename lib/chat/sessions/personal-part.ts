import { promptSections } from "grove-session";
import type { OwnerData, PersonalPart } from "@/lib/chat/core/owner-data";
import type { ContextWire } from "@/lib/chat/wire/context";
import { blocksOf } from "./blocks";
import { openInPassing } from "./open-session";

/** `null` outside of projects, and while the person leaves it out there. */
export async function personalPart(
  { personal }: OwnerData,
  sessionId: string,
  renews = false,
): Promise<PersonalPart | null> {
  if (!personal?.isOn) return null;
  const kept = await personal.parts.newest(sessionId);
  if (kept && !renews) return kept;
  const prompt = await rendered(personal.own);
  if (kept?.prompt === prompt) return kept;
  const part = { id: crypto.randomUUID(), prompt };
  await personal.parts.add(sessionId, part);
  return part;
}

const preface =
  "The sections below are the person's own, from outside this project. Where they differ from those above, the ones above win.";

async function rendered(own: OwnerData): Promise<string> {
  const texts = (await blocksOf(own, null)).filter(({ kind }) => kind === "writable");
  const read = texts.map(({ initial: _, ...block }) => ({
    ...{ ...block, label: `personal-${block.label}`, description: block.note },
    ...{ writers: "person" as const, maxTokens: null },
  }));
  const { prompt } = await openInPassing(own, null, read).memory.freezeVersionedPrompt();
  return prompt === "" ? "" : `${preface}\n\n${prompt}`;
}

export async function personalChanges(
  { personal }: OwnerData,
  kept: PersonalPart | null,
): Promise<ContextWire["changes"]> {
  if (!personal || !kept) return [];
  const before = contentsIn(kept.prompt);
  const after = contentsIn(await rendered(personal.own));
  const labels = [...new Set([...after.keys(), ...before.keys()])];
  return labels.flatMap((label) => {
    const [was, is] = [before.get(label), after.get(label)];
    if (was === is) return [];
    const kind = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ label: label.toLowerCase(), kind, before: was ?? "", after: is ?? "" }];
  });
}

function contentsIn(prompt: string): Map<string, string> {
  return new Map(promptSections(prompt).map(({ label, content }) => [label, content]));
}
