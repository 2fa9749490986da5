import { type ShownPart, sourcesOf, storedParts } from "@/app/_message/message-parts";
import { type PageContents, personalTools } from "@/app/_message/page-file/message-html";
import { filePart } from "@/lib/chat/wire/files";
import type { GroveMessage } from "@/lib/chat/wire/messages";

interface ExportedMessage extends Pick<GroveMessage, "id" | "role"> {
  readonly parentId: string | null;
  readonly content: Pick<GroveMessage, "parts">;
}

type CopiedPart = { readonly type: string } & Readonly<Record<string, unknown>>;

type CopiedMessage = ReturnType<typeof copied>;

export interface CopiedPage {
  readonly id: string;
  readonly title: string;
  readonly leafId: string | null;
  readonly shown: ReadonlySet<string>;
  readonly shows: PageContents;
}

/** The copy holds what the page shows alone: no other message, part, name, time or number. */
export async function* pageCopy(
  lines: AsyncIterable<string>,
  page: CopiedPage,
): AsyncGenerator<string> {
  const places = new Map<string, string | null>();
  const names = new Map<string, string>();
  const messages: CopiedMessage[] = [];
  const files = new Set<string>();
  const createdAt = new Date().toISOString();
  let isInFile = false;
  for await (const each of lines) {
    const record: { type: string } & Record<string, unknown> = JSON.parse(each);
    switch (record.type) {
      case "grove-export":
        yield line(record);
        break;
      case "gap":
      case "message": {
        const { id, parentId } = record as unknown as ExportedMessage;
        const above = parentId === null ? null : (places.get(parentId) ?? null);
        const isShown = record.type === "message" && page.shown.has(id);
        const name = `m${names.size + 1}`;
        places.set(id, isShown ? name : above);
        if (!isShown) break;
        names.set(id, name);
        messages.push(
          copied(record as unknown as ExportedMessage, {
            name,
            above,
            createdAt,
            shows: page.shows,
            files,
          }),
        );
        break;
      }
      case "session-end":
        yield line(sessionRecord(page, messages, names));
        for (const message of messages) yield line(message);
        yield line({ type: "session-end", id: page.id, messages: messages.length });
        break;
      case "file":
        isInFile = files.has(String(record.sha256));
        if (isInFile) yield line(record);
        break;
      case "file-chunk":
      case "file-page":
        if (isInFile) yield each;
        break;
      case "end":
        yield line({ type: "end", sessions: 1 });
    }
  }
}

function sessionRecord(
  { id, title, leafId }: CopiedPage,
  messages: readonly CopiedMessage[],
  names: ReadonlyMap<string, string>,
) {
  const parents = new Set(messages.map(({ parentId }) => parentId));
  const active = (leafId === null ? undefined : names.get(leafId)) ?? messages.at(-1)?.id ?? null;
  const leaves = messages.map((each) => each.id).filter((each) => !parents.has(each));
  const at = new Date().toISOString();
  return {
    ...{ type: "session", id, title, model: null, source: null, tags: [], metadata: {} },
    ...{ parentSessionId: null, forkedAtMessageId: null, inputTokens: 0, outputTokens: 0, cost: 0 },
    ...{ frozenPrompt: null, frozenVersions: null, pinnedAt: null, archivedAt: null },
    ...{ createdAt: at, updatedAt: at, activeLeafId: active, skillsBefore: [] },
    leafIds: leaves.toSorted((one, other) => Number(one === active) - Number(other === active)),
  };
}

function copied(
  { role, content }: ExportedMessage,
  about: {
    name: string;
    above: string | null;
    createdAt: string;
    shows: PageContents;
    files: Set<string>;
  },
) {
  const { name: id, above: parentId, createdAt, ...rest } = about;
  const message = { id, role, parts: content.parts } as GroveMessage;
  const parts = storedParts(message).flatMap((part) => copiedPart(part, rest));
  const sources = sourcesOf(message).map(({ address: url, title }, index): CopiedPart => {
    return { type: "source-url", sourceId: `s${index + 1}`, url, title };
  });
  const head = {
    type: "message",
    id,
    parentId,
    role,
    createdAt,
    pinned: false,
    label: null,
  } as const;
  return { ...head, content: { parts: [...parts, ...sources] } };
}

function copiedPart(
  part: ShownPart,
  { shows, files }: { shows: PageContents; files: Set<string> },
): CopiedPart[] {
  switch (part.kind) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "reasoning":
      return shows.reasoning ? [{ type: "reasoning", text: part.text }] : [];
    case "tool": {
      const { id: toolCallId, name: toolName, input, output, errorText } = part.call;
      if (!shows.tools || personalTools.test(toolName)) return [];
      const call = { type: "dynamic-tool", toolName, toolCallId, input };
      if (errorText !== null) return [{ ...call, state: "output-error", errorText }];
      return output === undefined ? [] : [{ ...call, state: "output-available", output }];
    }
    case "stored-file": {
      if (!shows.files) return [named(part.file.name)];
      files.add(part.file.sha256);
      return [filePart(part.file)];
    }
    case "file":
      return [named(part.name)];
  }
}

function named(name: string): CopiedPart {
  return { type: "text", text: `File: ${name}` };
}

function line(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}
