import {
  estimateStringTokens,
  isSessionError,
  type LoadedSkill,
  ProviderFailedError,
} from "grove-session";
import type { ListedSkill } from "grove-session/skills";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData, SourceBlock } from "@/lib/chat/core/owner-data";
import { blockKinds } from "@/lib/chat/sessions/block-kinds";
import { type BlockDefinition, blocksOf, refOf } from "@/lib/chat/sessions/blocks";
import type { EntryDocumentWire } from "@/lib/chat/wire/memory";

const deadlineMs = 5_000;

export async function listSource(block: SourceBlock): Promise<EntryDocumentWire[]> {
  const skills = await asked(block, () => block.source.list());
  return skills.map((skill) => sourceEntry(skill, ""));
}

export async function readSourceEntry(block: SourceBlock, key: string): Promise<EntryDocumentWire> {
  const skills = await asked(block, () => block.source.list());
  const skill = skills.find((listed) => listed.key === key);
  const content = skill && (await asked(block, () => block.source.load(key)));
  if (!skill || content === null || content === undefined) {
    throw new ChatError("entry-not-found", `There is no skill “${key}”.`);
  }
  return sourceEntry(skill, content);
}

export async function loadSkill(
  owner: OwnerData,
  sessionId: string,
  { label, key }: LoadedSkill,
  blocks?: readonly BlockDefinition[],
): Promise<string | null> {
  const block = (blocks ?? (await blocksOf(owner, sessionId))).find((each) => each.label === label);
  const load = block && blockKinds[block.kind].entries?.load;
  if (!load) return null;
  const { source } = block;
  if (source) return asked(source, () => source.source.load(key));
  return load(owner.blocks, refOf(block, sessionId), key);
}

export function loadedSkillTokens(
  owner: OwnerData,
  sessionId: string,
  loaded: readonly LoadedSkill[],
  blocks?: readonly BlockDefinition[],
): Promise<{ key: string; tokens: number }[]> {
  return Promise.all(
    loaded.map(async (skill) => {
      const text = await loadSkill(owner, sessionId, skill, blocks).catch(() => null);
      return { key: skill.key, tokens: estimateStringTokens(text ?? "") };
    }),
  );
}

async function asked<Answer>(
  { label }: SourceBlock,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new ProviderFailedError(label, `no answer within ${deadlineMs / 1_000} s`));
  }, deadlineMs);
  try {
    return await Promise.race([Promise.resolve().then(ask), late.promise]);
  } catch (cause) {
    throw sourceFailure(label, cause);
  } finally {
    clearTimeout(timer);
  }
}

function sourceFailure(label: string, cause: unknown): unknown {
  if (isSessionError(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ProviderFailedError(label, reason, { cause });
}

function sourceEntry(skill: ListedSkill, content: string): EntryDocumentWire {
  const { key, title, description, tokens, updatedAt, problem } = skill;
  const facts = { key, title, description, tokens, problem };
  return { ...facts, content, version: 0, updatedAt: updatedAt.toISOString(), loaded: false };
}
