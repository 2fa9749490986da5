import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData, SourceBlock } from "@/lib/chat/core/owner-data";
import { blocksOf, refOf } from "@/lib/chat/sessions/blocks";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";
import { estimateStringTokens, type LoadedSkill } from "@/lib/session";
import { callProvider } from "@/lib/session/internal";
import type { ListedSkill } from "@/lib/skills";

/** The same timeout as for a session's blocks. */
const deadlineMs = 5_000;

/** Lists a source without its documents. @throws {ProviderFailedError} */
export async function listSource(block: SourceBlock): Promise<EntryDocumentWire[]> {
  const skills = await asked(block, () => block.source.list());
  return skills.map((skill) => sourceEntry(skill, ""));
}

/** @throws {ChatError} when there is none. @throws {ProviderFailedError} */
export async function readSourceEntry(block: SourceBlock, key: string): Promise<EntryDocumentWire> {
  const skills = await asked(block, () => block.source.list());
  const skill = skills.find((listed) => listed.key === key);
  const content = skill && (await asked(block, () => block.source.load(key)));
  if (!skill || content === null || content === undefined) {
    throw new ChatError("entry-not-found", `There is no skill “${key}”.`);
  }
  return sourceEntry(skill, content);
}

/** `null` when there is none in Grove or its source. @throws {ProviderFailedError} */
export async function loadSkill(
  owner: OwnerData,
  sessionId: string,
  { label, key }: LoadedSkill,
): Promise<string | null> {
  const block = (await blocksOf(owner, sessionId)).find((each) => each.label === label);
  if (block?.kind !== "loadable") return null;
  const { source } = block;
  if (source) return asked(source, () => source.source.load(key));
  return owner.blocks.loadable(refOf(block, sessionId)).load(key);
}

/** 0 for unreadable ones. */
export function loadedSkillTokens(
  owner: OwnerData,
  sessionId: string,
  loaded: readonly LoadedSkill[],
): Promise<{ key: string; tokens: number }[]> {
  return Promise.all(
    loaded.map(async (skill) => {
      const text = await loadSkill(owner, sessionId, skill).catch(() => null);
      return { key: skill.key, tokens: estimateStringTokens(text ?? "") };
    }),
  );
}

function asked<Answer>(
  { label }: SourceBlock,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  return callProvider({ label, deadlineMs }, ask);
}

function sourceEntry(skill: ListedSkill, content: string): EntryDocumentWire {
  const { key, title, description, tokens, updatedAt, problem } = skill;
  const facts = { key, title, description, tokens, problem };
  return { ...facts, content, version: 0, updatedAt: updatedAt.toISOString(), loaded: false };
}
