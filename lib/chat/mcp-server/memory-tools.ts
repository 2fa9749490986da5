import type { McpServer } from "@modelcontextprotocol/server";
import { entryKeyFor, parseQuery } from "grove-session";
import { z } from "zod";
import { cleanText } from "@/lib/chat/core/clean-text";
import { Memory } from "@/lib/chat/memory/memory";
import { blockKinds, isOneText } from "@/lib/chat/sessions/block-kinds";
import { type BlockDefinition, blocksOf, entriesOf, knownBlocks } from "@/lib/chat/sessions/blocks";
import { openWith } from "@/lib/chat/sessions/open-session";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { answerCall, badCursor, CallRefusedError } from "./answer-call";
import { blocksKnownTo, type ConnectedClient, may } from "./connected-client";
import { pageOf } from "./list-page";

const entriesAtOnce = 200;
const maxFound = 20;
const maxOpenProposals = 50;

const reads = { readOnlyHint: true, openWorldHint: false } as const;
const label = z.string().max(200).describe("The block, by its label.");
const key = z.string().max(200).describe("The entry, by its key.");

const blockSchema = z.object({
  label: z.string(),
  description: z.string().nullable(),
  kind: z.enum(["text", "entries"]),
  editable: z.boolean().describe("Whether programs may write to it at all."),
  version: z.number().nullable().describe("Of a text. 0 before the first."),
  tokens: z.number().nullable(),
  maxTokens: z.number().nullable(),
  entryCount: z.number().nullable(),
});

const entrySchema = z.object({
  key: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  version: z.number(),
  tokens: z.number(),
});

export function registerMemoryTools(server: McpServer, client: ConnectedClient): void {
  if (may(client, "memory:read")) registerReading(server, client);
  if (may(client, "memory:propose", "memory:write")) registerWriting(server, client);
}

function registerReading(server: McpServer, client: ConnectedClient): void {
  const memory = new Memory(client.owner, null);
  server.registerTool(
    "list_memory",
    {
      title: "List memory",
      description:
        "List the memory blocks of this place: what they are about, and their size. A block is a text, or entries with keys.",
      outputSchema: z.object({ blocks: z.array(blockSchema) }),
      annotations: reads,
    },
    () => answerCall(client, async () => ({ blocks: (await readable(client)).map(blockOf) })),
  );
  server.registerTool(
    "list_memory_entries",
    {
      title: "List memory entries",
      description: "List the entries of a block by title, without their texts.",
      inputSchema: z.object({ label, cursor: z.string().max(200).optional() }),
      outputSchema: z.object({ entries: z.array(entrySchema), nextCursor: z.string().optional() }),
      annotations: reads,
    },
    ({ label, cursor }) =>
      answerCall(client, async () => {
        const { id } = await readableBlock(client, label, "entries");
        const all = await memory.entries(id);
        const page = pageOf(all, { cursor, limit: entriesAtOnce });
        if (!page) throw badCursor();
        const { items, ...next } = page;
        return { entries: items.map((entry) => entrySchema.parse(entry)), ...next };
      }),
  );
  server.registerTool(
    "read_memory",
    {
      title: "Read memory",
      description: "Read a block, or with a key one of its entries.",
      inputSchema: z.object({ label, key: key.optional() }),
      outputSchema: z.object({
        label: z.string(),
        key: z.string().optional(),
        title: z.string().optional(),
        version: z.number(),
        content: z.string(),
      }),
      annotations: reads,
    },
    ({ label, key }) =>
      answerCall(client, async () => {
        if (key === undefined) {
          const { version, content } = await readableBlock(client, label, "text");
          return { label, version, content };
        }
        const { id } = await readableBlock(client, label, "entries");
        const { title, version, content } = await memory.entry(id, key);
        return { label, key, title, version, content };
      }),
  );
  server.registerTool(
    "search_memory",
    {
      title: "Search memory",
      description: 'Search all memory blocks. Words must all occur; "a phrase", -without.',
      inputSchema: z.object({ query: z.string().max(1_000) }),
      outputSchema: z.object({
        found: z.array(
          z.object({
            label: z.string(),
            key: z.string().nullable(),
            title: z.string(),
            excerpt: z.string(),
          }),
        ),
      }),
      annotations: reads,
    },
    ({ query }) => answerCall(client, async () => ({ found: await find(client, query) })),
  );
}

async function find(client: ConnectedClient, query: string) {
  const labels = (await readable(client)).map((block) => block.label);
  const hits = await client.owner.findDocuments(parseQuery(cleanText(query)), { limit: 100 });
  return hits
    .filter((hit) => hit.sessionId === null && labels.includes(hit.label))
    .slice(0, maxFound)
    .map(({ label, key, title, snippet }) => {
      return { label, key, title: title.text, excerpt: snippet.text };
    });
}

export async function readable(client: ConnectedClient): Promise<BlockWire[]> {
  const blocks = await blocksKnownTo(client);
  return blocks.filter(({ kind }) => blockKinds[kind].mcp.isMemory);
}

export async function readableBlock(
  client: ConnectedClient,
  label: string,
  kind: "text" | "entries",
): Promise<BlockWire> {
  const blocks = await readable(client);
  const block = blocks.find((each) => each.label === label);
  if (!block) {
    const known = blocks.map((each) => each.label).join(", ");
    const only = known === "" ? "" : `, only ${known}`;
    throw new CallRefusedError(`There is no block “${label}”${only}.`);
  }
  if (block.error !== null) throw new CallRefusedError(block.error);
  if (kindOf(block) === kind) return block;
  throw new CallRefusedError(
    kind === "text"
      ? `“${label}” has entries. List them, then read one by its key.`
      : `“${label}” is one text without entries. Read it without a key.`,
  );
}

function blockOf(block: BlockWire): z.output<typeof blockSchema> {
  const { label, description, writers, version, tokens, maxTokens, entryCount } = block;
  const about = { label, description, editable: writers === "both", maxTokens, entryCount };
  return kindOf(block) === "text"
    ? { ...about, kind: "text", version, tokens }
    : { ...about, kind: "entries", version: null, tokens: null };
}

function kindOf(block: Pick<BlockWire, "kind">): "text" | "entries" {
  return isOneText(block) ? "text" : "entries";
}

const writeInput = z.object({
  label,
  content: z.string().min(1).max(200_000).describe("The text to write."),
  action: z
    .enum(["replace", "append"])
    .default("append")
    .describe("append adds a line; replace rewrites the text or entry and needs its version."),
  version: z
    .int()
    .min(0)
    .optional()
    .describe("The version read_memory returned, to replace nothing that was not read."),
  title: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe("For blocks with entries: names the entry; the same title updates it."),
  description: z.string().trim().max(1_024).optional().describe("One line about the entry."),
});

const writeOutput = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("written"), label: z.string(), key: z.string().optional() }),
  z.object({ outcome: z.literal("unchanged"), label: z.string() }),
  z.object({ outcome: z.literal("proposed"), label: z.string() }),
  z.object({ outcome: z.literal("refused"), reason: z.string() }),
]);

function registerWriting(server: McpServer, client: ConnectedClient): void {
  const decides = may(client, "memory:write")
    ? "Written at once under your name, except skills: those wait for the person, who can undo every write."
    : "Nothing is written yet: the person sees the change under your name and decides.";
  server.registerTool(
    "write_memory",
    {
      title: may(client, "memory:write") ? "Write memory" : "Propose a memory change",
      description: `Write to one of the memory blocks of this place. ${decides}`,
      inputSchema: writeInput,
      outputSchema: z.object({
        outcome: z.enum(["written", "proposed", "unchanged"]),
        label: z.string(),
        key: z.string().optional(),
      }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (input) =>
      answerCall(client, async () => {
        const output = await write(client, cleanText(input));
        if (output.outcome === "refused") throw new CallRefusedError(output.reason);
        return output;
      }),
  );
}

async function write(
  client: ConnectedClient,
  { version, title, description, ...input }: z.output<typeof writeInput>,
): Promise<z.output<typeof writeOutput>> {
  const { owner, name } = client;
  const blocks = knownBlocks(await blocksOf(owner, null), client.blocks);
  const block = blocks.find((each) => each.label === input.label);
  if (!block) return { outcome: "refused", reason: `There is no block “${input.label}”.` };
  const current = await versionOf(client, block, title);
  if (input.action === "replace" && current > 0 && version !== current) {
    return {
      outcome: "refused",
      reason: `Read it first and send its version to replace it, or append. Its version is ${current}.`,
    };
  }
  await assertFewProposals(client);
  const tools = await openWith(owner, null, blocks).tools({
    provenance: { author: "program", program: name },
    holdWrites: may(client, "memory:write") ? "skills" : true,
    hold: async ({ provenance: _, toolCallId: __, ...held }) => {
      const from = { sessionId: null, messageId: null, program: name };
      await owner.store.proposals.add({ ...held, ...from });
    },
    seenVersions: new Map([[block.id, current]]),
    appendsOnce: true,
    listsLoaded: false,
  });
  const metadata = { title, description };
  const call = { toolCallId: crypto.randomUUID(), messages: [], context: {} };
  return writeOutput.parse(await tools.set_context?.execute?.({ ...input, metadata }, call));
}

async function versionOf(
  { owner }: ConnectedClient,
  block: BlockDefinition,
  title: string | undefined,
): Promise<number> {
  if (block.source) return 0;
  if (kindOf(block) === "text") return (await new Memory(owner, null).read(block.id)).version;
  if (title === undefined) return 0;
  const entries = entriesOf(owner, block, null);
  const entry = (await entries.entry(title)) ?? (await entries.entry(entryKeyFor(title)));
  return entry?.version ?? 0;
}

async function assertFewProposals({ owner, name }: ConnectedClient): Promise<void> {
  const open = await owner.store.proposals.list({ status: "open" });
  if (open.filter(({ program }) => program === name).length >= maxOpenProposals) {
    throw new CallRefusedError(
      `${maxOpenProposals} suggestions of “${name}” wait for the person already.`,
    );
  }
}
