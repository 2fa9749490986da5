import { z } from "zod";
import { Random } from "@/lib/text/testing/random";
import {
  type AppServer,
  type DrillSite,
  settledAfter,
  storedMessages,
  withSite,
} from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { isLinearizable, type Operation } from "./linearizable";
import { type Call, call, callUntilAcknowledged, type Reply } from "./retrying-client";
import { checkShape, checkTree, type SharedSession, type Tree, treeSchema } from "./shared-tree";
import { type Slowdown, whileMeasuring } from "./slowdown";

interface PointerSession {
  readonly id: string;
  readonly leaves: readonly string[];
  readonly history: Operation[];
}

interface World {
  readonly servers: readonly AppServer[];
  readonly random: Random;
  readonly modelRef: string;
  readonly sessions: readonly SharedSession[];
  readonly pointers: PointerSession[];
  readonly slots: (PointerSession | null)[];
  readonly template: string;
  readonly forks: string[];
  readonly imports: string[];
  readonly counts: Record<string, number>;
  readonly broken: string[];
}

const serverCount = 3;
const clientCount = 50;
const sessionCount = 20;
const leavesPerPointer = 6;
const pointerOperations = 36;
/** Few operations on one pointer may overlap: checking takes exponential time in them. */
const slotCount = 8;
const settledWithinMs = 30_000;
const expected = new Set([404, 409, 429]);

const entrySchema = z.object({
  entry: z.object({ parentId: z.string().nullable(), message: z.object({ id: z.string() }) }),
});

export const processes: Drill = {
  name: "processes",
  promise: "Windows, tabs and processes never overwrite each other.",
  unit: "operations",
  fullCount: 10_000,
  run: (options) =>
    withSite(options, (site) =>
      whileMeasuring((slowdown) => runProcesses(options, { site, slowdown })),
    ),
};

async function runProcesses(
  { count, seed, signal, say }: DrillOptions,
  { site, slowdown }: { site: DrillSite; slowdown: Slowdown },
): Promise<DrillResult> {
  Object.assign(site.model.pace, { words: 4, pauseMs: 2 });
  const servers: AppServer[] = [];
  for (let n = 0; n < serverCount; n++) servers.push(await site.server());
  const world = await makeWorld(site, { servers, random: new Random(seed) });
  let done = 0;
  const work = async (client: number) => {
    // A source of its own keeps the order of the replies from changing a draw.
    const random = new Random(seed + client);
    while (done < count && !signal.aborted) {
      done++;
      if (done % 1_000 === 0) say(`${done} operations`);
      await operate({ ...world, random });
    }
  };
  await Promise.all(Array.from({ length: clientCount }, (_, client) => work(client)));
  const settledMs = await settledAfter(site, settledWithinMs * slowdown.now);
  if (settledMs === null) world.broken.push("An answer never ended.");
  await check(world, site);
  return { broken: world.broken, figures: { operations: done, ...world.counts } };
}

async function makeWorld(
  site: DrillSite,
  { servers, random }: Pick<World, "servers" | "random">,
): Promise<World> {
  const world: World = {
    servers,
    random,
    modelRef: await site.modelRef(),
    sessions: Array.from({ length: sessionCount }, (_, n) => ({
      id: `shared-${n}`,
      sent: [],
      deletedAt: new Map(),
      deletions: [],
      runs: [],
    })),
    pointers: [],
    slots: [],
    template: "",
    forks: [],
    imports: [],
    counts: {},
    broken: [],
  };
  for (const session of world.sessions) await send(world, { session, parentId: null });
  for (let n = 0; n < slotCount; n++) world.slots.push(await newPointer(world));
  const first = world.sessions[0]?.id;
  const exported = await fetch(`${servers[0]?.address}/api/sessions/${first}/export?as=json`);
  return { ...world, template: (await exported.text()).replaceAll(first ?? "", "SESSION") };
}

const operations = [
  ...Array.from({ length: 8 }, () => "send" as const),
  ...Array.from({ length: 4 }, () => "edit" as const),
  ...Array.from({ length: 3 }, () => "regenerate" as const),
  ...Array.from({ length: 4 }, () => "point" as const),
  "switch",
  "delete",
  "delete",
  "restore",
  "restore",
  "compact",
  "fork",
  "import",
  "stop",
] as const;

async function operate(world: World): Promise<void> {
  const { random, sessions } = world;
  const session = sessions[random.below(sessions.length)];
  const kind = operations[random.below(operations.length)];
  if (!session || !kind) return;
  const drawn = session.sent[random.below(session.sent.length)];
  // Half of all deletions meet what others continue just then.
  const some = kind === "delete" && random.below(2) === 0 ? session.sent.at(-1) : drawn;
  if (kind === "point") return point(world);
  if (kind === "import") return importCopy(world);
  if (kind === "send") return send(world, { session, parentId: undefined });
  if (!some) return;
  const path = `/api/sessions/${session.id}`;
  const asked = (method: Call["method"], below: string, body: object) =>
    ask(world, { kind, request: { method, path: `${path}${below}`, body } });
  switch (kind) {
    case "edit":
      return send(world, { session, parentId: some.parentId });
    case "regenerate": {
      const answerId = crypto.randomUUID();
      session.runs.push(answerId);
      await asked("POST", "/runs", { answerId, parentId: some.id, model: world.modelRef });
      return;
    }
    case "switch":
      return void (await asked("PATCH", "", { activeLeafId: some.id }));
    case "delete": {
      const deletionId = crypto.randomUUID();
      const moment = { startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY };
      session.deletedAt.set(some.id, [...(session.deletedAt.get(some.id) ?? []), moment]);
      session.deletions.push(deletionId);
      if (await asked("DELETE", "/messages", { ids: [some.id], deletionId }))
        moment.endedAt = performance.now();
      return;
    }
    case "restore": {
      const deletionId = session.deletions[random.below(session.deletions.length)];
      if (deletionId) await asked("POST", "/messages/restore", { deletionId });
      return;
    }
    case "compact":
      return void (await asked("POST", "/compactions", {}));
    case "fork": {
      const id = crypto.randomUUID();
      if (await asked("POST", "/fork", { id, messageId: some.id })) world.forks.push(id);
      return;
    }
    case "stop":
      await asked("POST", `/runs/${session.runs.at(-1)}/stop`, {});
  }
}

/** The reply when it was acknowledged. A refusal that nothing explains is a broken promise. */
async function ask(
  { servers, random, counts, broken }: World,
  { kind, request }: { kind: string; request: Call },
): Promise<Reply | null> {
  const address = servers[random.below(servers.length)]?.address ?? "";
  const said = await call(address, request);
  // The database gave up in time, as on a busy machine: the effect is unknown.
  const reply = said?.status === 503 ? null : said;
  if (reply && reply.status >= 400 && !expected.has(reply.status))
    broken.push(`${kind} got ${reply.status}: ${JSON.stringify(reply.body)}`);
  const isDone = reply !== null && reply.status < 300;
  const name = isDone ? kind : `${kind}, refused`;
  counts[name] = (counts[name] ?? 0) + 1;
  return isDone ? reply : null;
}

async function send(
  world: World,
  { session, parentId }: { session: SharedSession; parentId: string | null | undefined },
): Promise<void> {
  const id = crypto.randomUUID();
  const text = `Message ${id} ö🙂`;
  const body = {
    id,
    parts: [{ type: "text", text }],
    generate: false,
    newSession: {},
    ...(parentId !== undefined && { parentId }),
  };
  const path = `/api/sessions/${session.id}/messages`;
  const kind = parentId === undefined ? "send" : "edit";
  const startedAt = performance.now();
  const reply = await ask(world, { kind, request: { method: "POST", path, body } });
  if (reply)
    session.sent.push({
      id,
      text,
      parentId: entrySchema.parse(reply.body).entry.parentId,
      startedAt,
      endedAt: performance.now(),
    });
}

async function importCopy(world: World): Promise<void> {
  const id = `import-${crypto.randomUUID()}`;
  const lines = world.template.replaceAll("SESSION", id);
  const request: Call = { method: "POST", path: "/api/import", lines };
  if (await ask(world, { kind: "import", request })) world.imports.push(id);
}

async function point(world: World): Promise<void> {
  const { random, slots } = world;
  const slot = random.below(slotCount);
  const pointer = slots[slot];
  if (!pointer) return;
  if (pointer.history.length >= pointerOperations) {
    slots[slot] = null;
    slots[slot] = await newPointer(world);
    return;
  }
  const path = `/api/sessions/${pointer.id}`;
  const value = pointer.leaves[random.below(pointer.leaves.length)] ?? "";
  const isWrite = random.next() < 0.5;
  const index = pointer.history.length;
  const startedAt = performance.now();
  const pending = { startedAt, endedAt: Number.POSITIVE_INFINITY };
  // Takes its place at once, so that a history never grows too long.
  pointer.history.push({ ...pending, kind: isWrite ? "write" : "read", value: "" });
  const request: Call = isWrite
    ? { method: "PATCH", path, body: { activeLeafId: value } }
    : { method: "GET", path };
  const reply = await ask(world, { kind: isWrite ? "point" : "look", request });
  const endedAt = reply ? performance.now() : Number.POSITIVE_INFINITY;
  const seen = z.object({ activeLeafId: z.string() }).safeParse(reply?.body);
  pointer.history[index] = isWrite
    ? { kind: "write", value, startedAt, endedAt }
    : { kind: "read", value: seen.data?.activeLeafId ?? "", startedAt, endedAt };
}

async function newPointer(world: World): Promise<PointerSession> {
  const id = `pointer-${crypto.randomUUID()}`;
  const leaves = Array.from({ length: leavesPerPointer }, (_, n) => `${id}-${n}`);
  const pointer: PointerSession = { id, leaves, history: [] };
  const address = () => world.servers[0]?.address ?? "";
  for (const leaf of leaves) {
    const parts = [{ type: "text", text: leaf }];
    const body = { id: leaf, parts, generate: false, newSession: {}, parentId: null };
    const path = `/api/sessions/${id}/messages`;
    const { signal } = new AbortController();
    await callUntilAcknowledged(address, { method: "POST", path, body }, signal);
  }
  world.pointers.push(pointer);
  return pointer;
}

async function check(world: World, site: DrillSite): Promise<void> {
  const { sessions, broken, pointers, counts } = world;
  const rows = Map.groupBy(await storedMessages(site), ({ id }) => id);
  for (const session of sessions) {
    const tree = await treeOf(world, session.id);
    if (tree) checkTree(session, { tree, broken });
    for (const { id, text } of session.sent) {
      if (session.deletedAt.has(id)) continue;
      const stored = rows.get(id)?.filter((row) => row.sessionId === session.id) ?? [];
      if (stored.length !== 1) broken.push(`Message ${id} is stored ${stored.length} times.`);
      else if (stored[0]?.text !== text) broken.push(`Message ${id} holds another text.`);
    }
  }
  for (const id of [...world.forks, ...world.imports]) {
    const tree = await treeOf(world, id);
    if (tree && tree.nodes.length === 0) broken.push(`Session ${id} is empty.`);
    if (tree) checkShape(id, { tree, broken });
  }
  for (const { id, leaves, history } of pointers) {
    if (!isLinearizable(leaves.at(-1) ?? "", history))
      broken.push(`The shown leaf of ${id} is not linearizable: ${JSON.stringify(history)}`);
  }
  counts["linearizable histories"] = pointers.length;
  counts["acknowledged messages"] = sessions.reduce((sum, { sent }) => sum + sent.length, 0);
}

async function treeOf(world: World, sessionId: string): Promise<Tree | null> {
  const path = `/api/sessions/${sessionId}/tree`;
  const reply = await ask(world, { kind: "check", request: { method: "GET", path } });
  if (reply) return treeSchema.parse(reply.body);
  world.broken.push(`Session ${sessionId} is lost.`);
  return null;
}
