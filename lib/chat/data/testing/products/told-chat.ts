import type { Random } from "@/lib/text/testing/random";

/** A chat as a person had it, before a product exports it. */
export interface ToldChat {
  readonly id: string;
  readonly title: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Parents before children. */
  readonly messages: readonly ToldMessage[];
  /** The last message of the branch that was open. */
  readonly shownId: string;
}

export interface ExportFile {
  readonly name: string;
  readonly text: string;
}

export interface ToldMessage {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: "user" | "assistant";
  readonly at: Date;
  readonly pieces: readonly Piece[];
}

export interface Piece {
  /** `failed` is a call with an error, `held` a file inside the chat, `odd` content of a kind Grove does not take. */
  readonly kind: "text" | "thought" | "call" | "failed" | "file" | "held" | "odd";
  /** Stands nowhere else. */
  readonly word: string;
  /** Holds the word. */
  readonly text: string;
}

/** Texts that a careless reader takes for something else. */
const sayings: readonly [string, ...string[]] = [
  "",
  "User: Hello?",
  "\n\n## You\n\nno head",
  "```js\nconst a = 1;\n```",
  "> quoted <details> &amp; </details>",
  "half \ud83d, \0 and \u202e",
  "# Title\r\n\r\n- [ ] one",
  "😀 漢字 עברית",
  '{"role":"user"}',
  "\uE200cite\uE202turn0search1\uE201",
];

/** Makes chats, the last changed first; times are whole seconds, which some products store. */
export function toldChats(
  random: Random,
  given: { holds: readonly Piece["kind"][]; hasBranches: boolean; isPlain: boolean },
): readonly ToldChat[] {
  let words = 0;
  const newWord = () => `w${(words++).toString(36)}q`;
  let changedAt = Date.UTC(2025, 5, 1) + random.below(1_000_000) * 1_000;
  return Array.from({ length: 1 + random.below(3) }, (): ToldChat => {
    changedAt -= (1 + random.below(100_000)) * 1_000;
    const updatedAt = new Date(changedAt);
    const id = uuid(random);
    const messages = toldMessages(random, { ...given, updatedAt, newWord });
    const parents = new Set(messages.map(({ parentId }) => parentId));
    const leaves = messages.filter(({ id: each }) => !parents.has(each));
    const shown = leaves[random.below(leaves.length)];
    const createdAt = messages[0]?.at ?? updatedAt;
    return { id, title: newWord(), createdAt, updatedAt, messages, shownId: shown?.id ?? "" };
  });
}

interface Told {
  readonly holds: readonly Piece["kind"][];
  readonly hasBranches: boolean;
  readonly isPlain: boolean;
  readonly updatedAt: Date;
  readonly newWord: () => string;
}

function toldMessages(random: Random, given: Told): ToldMessage[] {
  const messages: ToldMessage[] = [];
  const count = 1 + random.below(8);
  let at = given.updatedAt.getTime() - count * 60_000;
  for (let n = 0; n < count; n++) {
    const back = given.hasBranches && random.next() < 0.3 ? 1 + random.below(n || 1) : 1;
    const parent = messages[n - back];
    const role = parent?.role === "user" ? "assistant" : "user";
    at += 1_000 * (1 + random.below(50));
    const pieces = toldPieces(random, { ...given, role });
    messages.push({
      id: uuid(random),
      parentId: parent?.id ?? null,
      role,
      at: new Date(at),
      pieces,
    });
  }
  return messages;
}

/** Every message ends with a text, so none is without words. */
function toldPieces(
  random: Random,
  { holds, role, isPlain, newWord }: Told & { role: ToldMessage["role"] },
): Piece[] {
  const ofRole: readonly string[] =
    role === "user" ? ["file", "held", "odd"] : ["thought", "call", "failed", "odd"];
  const kinds = holds.filter((kind) => ofRole.includes(kind));
  const extra = Array.from({ length: random.below(4) }, () => kinds[random.below(kinds.length)]);
  return [...extra, "text" as const].flatMap((kind) => {
    if (!kind) return [];
    const word = newWord();
    const saying = kind === "text" && !isPlain ? random.of(sayings) : "";
    return [{ kind, word, text: `${word} said ${saying}`.trim() }];
  });
}

export function uuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-4$3-$4-").slice(0, 36);
}

/** Id of the call about a word, which must not hold the word itself. */
export const callId = (word: string) => `call_${[...word].reverse().join("")}`;
