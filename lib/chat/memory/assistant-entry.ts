import { entryKeyFor } from "grove-session";
import type { EditableEntries } from "grove-session/ports";
import { ChatError } from "@/lib/chat/core/chat-error";
import { readAssistant } from "@/lib/chat/wire/assistants";
import { FrontMatterError } from "@/lib/text/front-matter";

const mostAssistants = 200;

interface AssistantEntry {
  readonly title: string;
  readonly description?: string | undefined;
  readonly content: string;
}

/** Title and description are those of the text. @throws {ChatError} `bad-assistant` */
export function assistantEntry({ title, content }: AssistantEntry) {
  try {
    const { name, description } = readAssistant(content, title);
    return { title: name, description, content };
  } catch (error) {
    throw error instanceof FrontMatterError ? badAssistant(error) : error;
  }
}

function badAssistant(cause: FrontMatterError): ChatError {
  return new ChatError("bad-assistant", cause.message, { field: "content", cause });
}

/** @throws {ChatError} `bad-assistant`, `entry-exists`, `too-many-assistants` */
export async function allowedAssistant(
  entries: Pick<EditableEntries, "entries">,
  key: string,
  given: AssistantEntry,
): Promise<ReturnType<typeof assistantEntry>> {
  const entry = assistantEntry(given);
  const present = await entries.entries({ limit: mostAssistants + 1 });
  const others = present.filter((other) => other.key !== key);
  const name = entry.title.toLowerCase();
  if (others.some(({ title }) => title.toLowerCase() === name)) {
    const message = `An assistant called “${entry.title}” already exists. Choose another name.`;
    throw new ChatError("entry-exists", message, { field: "title" });
  }
  if (others.length === present.length && present.length >= mostAssistants) {
    const message = `There can be at most ${mostAssistants} assistants. Delete one first.`;
    throw new ChatError("too-many-assistants", message);
  }
  return entry;
}

/** Chats and the default of a project name an assistant by its key, so a deleted one's is never given again. */
export async function newKeyFor(
  entries: Pick<EditableEntries, "entryVersions">,
  name: string,
): Promise<string> {
  for (let number = 1; ; number++) {
    const key = entryKeyFor(number === 1 ? name : `${name.slice(0, 74)} ${number}`);
    if ((await entries.entryVersions(key, { limit: 1 })).length === 0) return key;
  }
}
