import { expect } from "vitest";
import type { StoredMessage } from "../../message";
import type { Compaction, SessionTreeProvider } from "../../session-provider";
import type { SessionStore } from "../../session-store";
import { ids, user } from "../builders";
import { type ModelMessage, ReferenceModel } from "./reference-model";
import type { TreeStep } from "./tree-program";

const maxSessions = 4;

interface Subject {
  readonly id: string;
  readonly provider: SessionTreeProvider;
  readonly model: ReferenceModel;
}

interface Run {
  readonly store: SessionStore;
  readonly subjects: Subject[];
  name(): string;
}

/**
 * Compares after each step the session it touched, and at the end every path of every session, so that a fork changed
 * by its source is noticed. `isQuick`: at the end alone, and branches only where paths part.
 */
export async function runTreeProgram(
  store: SessionStore,
  program: readonly TreeStep[],
  { isQuick = false } = {},
): Promise<void> {
  const afterEach = isQuick ? async () => undefined : compareActivePath;
  const subjects = await takeSteps(store, program, afterEach);
  for (const subject of subjects) await compareEverything(subject, { isQuick });
}

/** Grows any tree, for tests that need one. */
export async function growTrees(store: SessionStore, program: readonly TreeStep[]): Promise<void> {
  await takeSteps(store, program, async () => undefined);
}

async function takeSteps(
  store: SessionStore,
  program: readonly TreeStep[],
  afterEach: (subject: Subject) => Promise<void>,
): Promise<Subject[]> {
  let names = 0;
  const { id } = await store.sessions.create("Session");
  const subjects = [{ id, provider: store.messages(id), model: new ReferenceModel() }];
  const run: Run = { store, subjects, name: () => `n${++names}` };
  for (const step of program) {
    const subject = choose(subjects, step.on);
    if (!subject) continue;
    await act(run, subject, step);
    await afterEach(subject);
  }
  return subjects;
}

async function act(run: Run, subject: Subject, step: TreeStep): Promise<void> {
  const { provider, model } = subject;
  switch (step.kind) {
    case "continue":
      return append(run, subject, model.active, step.activate);
    case "start-root":
      return append(run, subject, null, true);
    case "reply":
      return append(run, subject, choose(model.alive, step.to)?.id ?? null, step.activate);
    case "edit": {
      const message = choose(model.alive, step.message);
      return message && append(run, subject, model.parentOf(message), true);
    }
    case "rewrite": {
      const message = choose(model.alive, step.message);
      if (!message) return;
      message.text = run.name();
      await provider.updateMessage(user(message.id, message.text));
      return;
    }
    case "pin": {
      const message = choose(model.alive, step.message);
      if (!message) return;
      message.pinned = step.pinned;
      if (!step.pinned) message.label = null;
      return provider.setPinned(message.id, step.pinned);
    }
    case "label": {
      const message = choose(model.alive, step.message);
      if (!message) return;
      message.label = step.labelled ? run.name() : null;
      if (step.labelled) message.pinned = true;
      return provider.setLabel(message.id, message.label);
    }
    case "switch": {
      const message = choose(model.alive, step.message);
      if (!message) return;
      model.activate(message.id);
      return provider.setActiveLeaf(message.id);
    }
    case "chain":
      return appendChainOf(run, subject, step);
    case "step-back": {
      const path = model.aliveLine(model.active);
      const kept = Math.max(0, path.length - step.count);
      model.active = path[kept - 1]?.id ?? null;
      const { passed, leafId } = await provider.stepBack(step.count);
      return expect([ids(passed), leafId]).toEqual([ids(path.slice(kept)), model.active]);
    }
    case "follow":
      return follow(run, subject, step);
    case "clear":
      Object.assign(model, new ReferenceModel());
      return provider.clearMessages();
    case "delete":
    case "undo":
      return deleteOrUndo(subject, step);
    case "compact":
    case "uncompact":
    case "recompact":
      return changeSummaries(run, subject, step);
    case "fork":
      return fork(run, subject, step);
  }
}

async function append(
  run: Run,
  { provider, model }: Subject,
  parent: string | null,
  activate: boolean | "follow",
): Promise<void> {
  const id = run.name();
  model.append(id, parent, activate);
  await provider.appendMessage(user(id), parent, { activate });
}

async function appendChainOf(
  run: Run,
  { provider, model }: Subject,
  step: Extract<TreeStep, { kind: "chain" }>,
): Promise<void> {
  const { activate } = step;
  const parentId = choose(model.alive, step.to)?.id ?? null;
  const names = Array.from({ length: step.count }, () => run.name());
  for (const [index, id] of names.entries()) {
    model.append(id, names[index - 1] ?? parentId, activate);
  }
  const results = await provider.appendMessages(
    names.map((id) => user(id)),
    parentId,
    { activate },
  );
  expect(results.map((result) => [result.message.id, result.parentId])).toEqual(
    names.map((id, index) => [id, names[index - 1] ?? parentId]),
  );
}

/** Checks the parts that any correct choice among equal siblings shares, and takes the choice over. */
async function follow(
  run: Run,
  { provider, model }: Subject,
  step: Extract<TreeStep, { kind: "follow" }>,
): Promise<void> {
  const line = model.aliveLine(choose(model.alive, step.leaf)?.id ?? null);
  const known = line.slice(step.lost, step.lost + step.count).map(({ text }) => text);
  const texts = [...known, ...Array.from({ length: step.added }, () => run.name())];
  const list = texts.map((text) => ({ role: "user" as const, parts: [{ type: "text", text }] }));
  const before = model.aliveLine(model.active);
  const result = await provider.follow(list);
  for (const { message, parentId } of result.appended) {
    model.append(message.id, parentId, true);
    Object.assign(model.messages.at(-1) ?? {}, { text: String(message.parts[0]?.text) });
  }
  model.active = result.leafId;
  if (result.changed && result.appended.length === 0 && result.leafId !== null) {
    model.activate(result.leafId);
  }
  const path = model.aliveLine(model.active);
  const end = path.slice(path.length - texts.length);
  expect(end.map(({ id, text }) => [id, text])).toEqual(
    texts.map((text, index) => [result.messageIds[index], text]),
  );
  const kept = path.slice(0, path.length - texts.length);
  expect(ids(before).slice(0, kept.length)).toEqual(ids(kept));
  expect(result.changed).toBe(ids(before).join() !== ids(path).join());
  if (step.lost === 0 && new Set(model.alive.map(({ text }) => text)).size === model.alive.length) {
    expect([kept, result.appended.length]).toEqual([[], step.added]);
  }
  expect(await provider.follow(list)).toMatchObject({ appended: [], changed: false });
}

async function deleteOrUndo(
  { provider, model }: Subject,
  step: Extract<TreeStep, { kind: "delete" | "undo" }>,
): Promise<void> {
  if (step.kind === "delete") {
    const chosen = step.messages.flatMap((number) => choose(model.alive, number)?.id ?? []);
    if (chosen.length === 0) return;
    const { deletionId } = await provider.deleteMessages(chosen);
    return model.delete(chosen, deletionId);
  }
  const deletion = choose(model.deletions, step.deletion);
  if (!deletion) return;
  await provider.restoreMessages(deletion.id);
  model.undo(deletion.id);
}

async function changeSummaries(
  run: Run,
  { provider, model }: Subject,
  step: Extract<TreeStep, { kind: "compact" | "uncompact" | "recompact" }>,
): Promise<void> {
  if (step.kind === "compact") {
    const path = model
      .line(choose(model.alive, step.leaf)?.id ?? null)
      .filter((each) => each.deletion === null);
    const [first, second] = [step.from % path.length, step.to % path.length];
    const [from, to] = [path[Math.min(first, second)], path[Math.max(first, second)]];
    if (!from || !to) return;
    const text = run.name();
    const { id } = await provider.addCompaction(text, from.id, to.id);
    model.summaries.push({ id, text, from: from.id, to: to.id, removed: false });
    return;
  }
  const removing = step.kind === "uncompact";
  const summary = choose(
    model.summaries.filter(({ removed }) => removed !== removing),
    step.compaction,
  );
  if (!summary) return;
  summary.removed = removing;
  await (removing ? provider.removeCompaction(summary.id) : provider.restoreCompaction(summary.id));
}

async function fork(
  { store, subjects }: Run,
  { id, model }: Subject,
  step: Extract<TreeStep, { kind: "fork" }>,
): Promise<void> {
  const message = choose(model.alive, step.message);
  if (!message || subjects.length >= maxSessions) return;
  const { withSideBranches } = step;
  const info = await store.sessions.fork(id, message.id, "Fork", { withSideBranches });
  const forked = model.fork(message.id, withSideBranches);
  const provider = store.messages(info.id);
  const compactions = await provider.getCompactions();
  const present = forked.summaries.filter(({ removed }) => !removed);
  expect(compactions.map(({ summary }) => summary)).toEqual(present.map(({ text }) => text));
  forked.summaries = present.map((summary, index) => ({
    ...summary,
    id: compactions[index]?.id ?? summary.id,
  }));
  subjects.push({ id: info.id, provider, model: forked });
}

async function compareActivePath({ provider, model }: Subject): Promise<void> {
  expect((await provider.getLatestLeaf())?.id ?? null).toBe(model.active);
  expect((await provider.getHistory()).map(shownLine)).toEqual(model.visible(model.active));
}

async function compareEverything(
  subject: Subject,
  { isQuick }: { isQuick: boolean },
): Promise<void> {
  const { provider, model } = subject;
  await compareActivePath(subject);
  const tree = (await provider.getTree()).map(({ id, parentId, pinned, label }) => {
    return { id, parentId, pinned, label };
  });
  const expected = model.alive.map((message) => {
    const { id, pinned, label } = message;
    return { id, parentId: model.parentOf(message), pinned, label };
  });
  expect(tree.toSorted(byId)).toEqual(expected.toSorted(byId));
  expect(ids(await provider.getLeaves())).toEqual(ids(model.leaves()));
  const compactions = await provider.getCompactions();
  for (const { id } of model.leaves()) {
    const history = await provider.getHistory(id);
    expect(history.map(shownLine)).toEqual(model.visible(id));
    expectNothingHidden(model, { leaf: id, history, compactions });
    expect((await readFromRoot(provider, id)).map(shownLine)).toEqual(model.visible(id));
  }
  const parts = ({ id }: ModelMessage) => !isQuick || model.childrenOf(id).length > 1;
  for (const { id } of model.alive.filter(parts)) {
    expect([id, await provider.getLeafUnder(id)]).toEqual([id, model.leafUnder(id)]);
  }
  for (const { id } of isQuick ? model.alive.filter(parts) : model.alive.slice(-5)) {
    expect(ids(await provider.getBranches(id))).toEqual(ids(model.childrenOf(id)));
  }
}

async function readFromRoot(
  provider: SessionTreeProvider,
  leafId: string,
): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  let afterPosition: number | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await provider.getWindow({ leafId, afterPosition, limit: 6, oldest: true });
    messages.push(...page.entries.map(({ message }) => message));
    afterPosition = page.entries.at(-1)?.position;
    hasMore = page.hasMore;
  }
  return messages;
}

function shownLine({ id, parts }: StoredMessage): string {
  const text = String(parts[0]?.text);
  return id.startsWith("compaction_") ? `[${text}]` : text;
}

/** Every stored message of a path is visible or covered by exactly one visible summary. */
function expectNothingHidden(
  model: ReferenceModel,
  {
    leaf,
    history,
    compactions,
  }: { leaf: string; history: readonly StoredMessage[]; compactions: readonly Compaction[] },
): void {
  const line = ids(model.line(leaf));
  const ranges = compactions
    .filter(({ id }) => history.some((message) => message.id === `compaction_${id}`))
    .map(
      ({ fromMessageId, toMessageId }) =>
        [line.indexOf(fromMessageId), line.indexOf(toMessageId)] as const,
    );
  for (const [index, { id, deletion, pinned }] of model.line(leaf).entries()) {
    if (deletion !== null) continue;
    const covering = ranges.filter(([from, to]) => from <= index && index <= to).length;
    const visible = history.some((message) => message.id === id);
    expect({ id, covering, visible }).toEqual({ id, covering, visible: covering === 0 || pinned });
    expect(covering).toBeLessThanOrEqual(1);
  }
}

function choose<T>(items: readonly T[], number: number): T | undefined {
  return items[number % items.length];
}

function byId(first: { id: string }, second: { id: string }): number {
  return first.id < second.id ? -1 : 1;
}
