import type { ToolSet } from "ai";
import {
  estimateStringTokens,
  promptSections,
  Session,
  SessionExistsError,
  type SessionInfo,
  SessionManager,
} from "grove-session";
import type { AskingMessage } from "grove-session/ports";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { contextWindowOf } from "@/lib/chat/settings/models";
import type { AssistantRef } from "@/lib/chat/wire/assistants";
import { fileKind } from "@/lib/chat/wire/files";
import {
  citation,
  filesLabel,
  filesWarning,
  projectFilesLabel,
  readPagesName,
} from "@/lib/chat/wire/knowledge";
import type { ChatParameters } from "@/lib/chat/wire/request-fields";
import { isTemporaryId } from "@/lib/chat/wire/temporary-id";
import type { ResolvedModel } from "@/lib/llm";
import { type BlockDefinition, blocksOf, providerOf, refOf, requireBlock } from "./blocks";

type ForModel = Pick<ResolvedModel, "info">;

/** @param model reads the prompt, which holds the files of a project where they fit. */
export async function openSession(
  owner: OwnerData,
  sessionId: string,
  model?: ForModel,
): Promise<Session> {
  return openWith(owner, sessionId, await blocksOf(owner, sessionId), model);
}

export function openWith(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
  model?: ForModel,
): Session {
  const session = openInPassing(owner, sessionId, blocks);
  if (model && owner.personal)
    session.withContext(projectFilesLabel, {
      description: filesWarning,
      provider: { get: () => wholeFiles(owner, mostTokensFor(model)) },
    });
  return session.withCachedPrompt();
}

const mostWhole = 100;
const wholeShare = 0.1;
const mostWholeTokens = 10_000;

function mostTokensFor(model: ForModel): number {
  return Math.min(contextWindowOf(model.info) * wholeShare, mostWholeTokens);
}

/** Text of files leaves unasked only while the model may read them unasked. */
async function mayGive(owner: OwnerData): Promise<boolean> {
  return ((await owner.tools.chosenPolicy(readPagesName)) ?? "on") === "on";
}

/** A prompt is kept for another model, or from before the person turned reading off. */
export async function mustLeaveFilesOut(
  owner: OwnerData,
  prompt: string,
  model: ForModel,
): Promise<boolean> {
  const given = filesIn(prompt);
  if (given === null) return false;
  return estimateStringTokens(given) > mostTokensFor(model) || !(await mayGive(owner));
}

/** `null` where a prompt holds no text of files. */
export function filesIn(prompt: string): string | null {
  const label = projectFilesLabel.toUpperCase();
  const section = promptSections(prompt).find((each) => each.label === label);
  return section?.isAvailable ? section.content : null;
}

/** All files of a project with the link of each page, or `""` where they do not fit together. */
async function wholeFiles(owner: OwnerData, most: number): Promise<string> {
  if (!(await owner.knowledge.hasFiles()) || !(await mayGive(owner))) return "";
  const files = owner.blocks.searchable(refOf(await requireBlock(owner, filesLabel, null), null));
  const named = await files.entries({ limit: mostWhole + 1 });
  const stored = await owner.files.list(named.map(({ key }) => key));
  const texts = stored.filter((file) => ["pdf", "text"].includes(fileKind(file)));
  const tokens = texts.reduce((sum, file) => sum + (file.tokens ?? 0), 0);
  const isWhole =
    named.length <= mostWhole && tokens <= most && texts.every(({ unread }) => !unread);
  if (!isWhole) return "";
  const titles = new Map(named.map(({ key, title }) => [key, title ?? key]));
  const read = texts
    .toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
    .map(async ({ sha256 }) => {
      const page = { url: `grove-file:${sha256}`, name: titles.get(sha256) ?? sha256 } as const;
      const pages = await owner.files.pages(sha256);
      return pages.map(({ text, ...each }) => `${citation({ ...page, ...each })}\n${text}`);
    });
  const content = cleanText((await Promise.all(read)).flat().join("\n\n"));
  return estimateStringTokens(content) <= most ? content : "";
}

export function openInPassing(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  const session = new Session(owner.store, { sessionId: sessionId ?? "", createsSession: false });
  for (const definition of blocks) {
    const { id, label, description, maxTokens, writers, initial } = definition;
    session.withContext(label, {
      blockId: id,
      description,
      initial,
      ...(writers !== "nobody" && { writers }),
      provider: providerOf(owner, definition, sessionId),
      ...(maxTokens !== null && { maxTokens }),
    });
  }
  return session;
}

export function pastConversations(owner: OwnerData, asking?: AskingMessage): ToolSet {
  return SessionManager.create(owner.store).tools({ asking });
}

export const temporaryMs = 24 * 60 * 60 * 1_000;

export interface NewSession {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly parameters?: ChatParameters | undefined;
  readonly assistant?: AssistantRef | undefined;
}

/**
 * A repeated id returns the existing session, even after a rename. @throws {SessionExistsError} for an id of another
 * title.
 */
export async function createSession(
  owner: OwnerData,
  { id, title = "", model, parameters, assistant }: NewSession,
): Promise<SessionInfo> {
  const memoryMode = await owner.defaultMemoryMode();
  const metadata = {
    memoryMode,
    ...(parameters && { parameters }),
    ...(assistant && { assistant }),
    ...(title !== "" && { givenTitle: title }),
  };
  const session = await owner.store.sessions.create(title, {
    ...{ id, model, source: "web", metadata },
    ...(id !== undefined && isTemporaryId(id) && { expiresAfterMs: temporaryMs }),
  });
  const given = session.metadata.givenTitle ?? session.name;
  if (!session.changed && title !== "" && title !== given) throw new SessionExistsError(session.id);
  return session;
}
