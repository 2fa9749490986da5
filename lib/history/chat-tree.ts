import { type ForeignChat, type ForeignNode, joinToolResults } from "./foreign-chat";

export interface ChatTree {
  readonly messages: readonly TreeMessage[];
  readonly leafIds: readonly string[];
  readonly losses: readonly string[];
}

export type TreeMessage = Required<ForeignNode>;

interface TreePlace {
  readonly node: ForeignNode;
  readonly order: number;
  parent: TreePlace | null;
}

/**
 * Cuts circles, puts orphans at the top, drops places without a message, and joins the steps of one answer where no
 * branch begins between them.
 */
export function chatTree({ nodes, currentId }: Pick<ForeignChat, "nodes" | "currentId">): ChatTree {
  const losses: string[] = [];
  const places = placesOf(nodes, losses);
  cutCircles(places, losses);
  const kept = places.filter(({ node }) => node.parts.length > 0);
  const childrenOf = new Map<TreePlace | null, TreePlace[]>();
  for (const place of kept) {
    place.parent = nearestKept(place.parent);
    const siblings = childrenOf.get(place.parent);
    if (siblings) siblings.push(place);
    else childrenOf.set(place.parent, [place]);
  }
  for (const siblings of childrenOf.values()) siblings.sort(byAge);
  const { messages, nameOf } = walk(childrenOf);
  const parents = new Set(messages.map(({ parentId }) => parentId));
  const leaves = messages.filter(({ id }) => !parents.has(id)).map(({ id }) => id);
  const seen = shownLeaf({ places, currentId, nameOf, childrenOf }) ?? leaves.at(-1);
  const leafIds = seen === undefined ? leaves : [...leaves.filter((id) => id !== seen), seen];
  return { messages, leafIds, losses };
}

function placesOf(nodes: readonly ForeignNode[], losses: string[]): TreePlace[] {
  const byId = new Map<string, TreePlace>();
  const given = new Set(nodes.map(({ id }) => id));
  const saidOf = new Map<string, Set<string>>();
  let twins = 0;
  for (const [order, node] of nodes.entries()) {
    const known = byId.get(node.id);
    if (known) {
      const said = saidOf.get(node.id) ?? new Set([wordsOf(known.node)]);
      saidOf.set(node.id, said);
      if (node.parts.length === 0 || said.has(wordsOf(node))) continue;
      said.add(wordsOf(node));
      twins++;
    }
    const id = known || node.id === "" ? unusedId(order, given) : node.id;
    byId.set(id, { node: { ...node, id }, order, parent: null });
  }
  const places = [...byId.values()];
  let orphans = 0;
  for (const place of places) {
    const { parentId } = place.node;
    place.parent = parentId === null ? null : (byId.get(parentId) ?? null);
    if (parentId !== null && !place.parent && place.node.parts.length > 0) orphans++;
  }
  if (twins > 0)
    losses.push(`${counted(twins, "message")} had the id of another one, and got a new one.`);
  if (orphans > 0 && orphans < places.length && places.some(({ node }) => node.parentId === null))
    losses.push(`${counted(orphans, "message")} came after a message that the file does not hold.`);
  return places;
}

function unusedId(order: number, given: ReadonlySet<string>): string {
  let id = `unnamed-${order + 1}`;
  while (given.has(id)) id += "-new";
  return id;
}

const wordsOf = ({ role, parts }: ForeignNode) => JSON.stringify([role, parts]);

function cutCircles(places: readonly TreePlace[], losses: string[]): void {
  const done = new Set<TreePlace>();
  let circles = 0;
  for (const start of places) {
    const path = new Set<TreePlace>();
    let place: TreePlace | null = start;
    while (place && !done.has(place)) {
      path.add(place);
      if (place.parent && path.has(place.parent)) {
        place.parent = null;
        circles++;
      }
      place = place.parent;
    }
    for (const each of path) done.add(each);
  }
  if (circles > 0) losses.push(`${counted(circles, "circle")} of messages was cut.`);
}

function nearestKept(from: TreePlace | null): TreePlace | null {
  let place = from;
  const passed: TreePlace[] = [];
  while (place && place.node.parts.length === 0) {
    passed.push(place);
    place = place.parent;
  }
  for (const each of passed) each.parent = place;
  return place;
}

function byAge(one: TreePlace, other: TreePlace): number {
  const [first, second] = [one.node.createdAt, other.node.createdAt];
  const difference = first && second ? first.getTime() - second.getTime() : 0;
  return difference || one.order - other.order;
}

function walk(childrenOf: ReadonlyMap<TreePlace | null, readonly TreePlace[]>): {
  messages: TreeMessage[];
  nameOf: ReadonlyMap<TreePlace, string>;
} {
  const messages: TreeMessage[] = [];
  const nameOf = new Map<TreePlace, string>();
  const waiting = [...(childrenOf.get(null) ?? [])].reverse();
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const first = place;
    const group = [first];
    let children = childrenOf.get(first) ?? [];
    for (let last = first; ; ) {
      const [only] = children;
      if (!only || children.length > 1 || !isSameAnswer(last, only)) break;
      group.push(only);
      last = only;
      children = childrenOf.get(last) ?? [];
    }
    for (const each of group) nameOf.set(each, first.node.id);
    messages.push(messageOf(group, first.parent && (nameOf.get(first.parent) ?? null)));
    for (const child of children.toReversed()) waiting.push(child);
  }
  return { messages, nameOf };
}

function isSameAnswer(one: TreePlace, next: TreePlace): boolean {
  return one.node.role === "assistant" && next.node.role === "assistant";
}

function messageOf(group: readonly TreePlace[], parentId: string | null): TreeMessage {
  const nodes = group.map(({ node }) => node);
  const [first] = nodes;
  if (!first) throw new Error("A message has at least one place.");
  return {
    id: first.id,
    parentId,
    role: first.role,
    parts: joinToolResults(nodes.flatMap(({ parts }) => parts)),
    createdAt: nodes.find(({ createdAt }) => createdAt)?.createdAt ?? null,
    model: nodes.findLast(({ model }) => model)?.model,
    isCutOff: nodes.at(-1)?.isCutOff ?? false,
  };
}

/** The newest leaf under the current place: some products name a place inside a branch. */
function shownLeaf(given: {
  readonly places: readonly TreePlace[];
  readonly currentId: string | null;
  readonly nameOf: ReadonlyMap<TreePlace, string>;
  readonly childrenOf: ReadonlyMap<TreePlace | null, readonly TreePlace[]>;
}): string | undefined {
  const { places, currentId, nameOf, childrenOf } = given;
  const current = places.find(({ node }) => node.id === currentId);
  let place = current ? nearestKept(current) : null;
  if (!place) return undefined;
  for (let next = place; ; ) {
    place = next;
    const last: TreePlace | undefined = childrenOf.get(next)?.at(-1);
    if (!last) return nameOf.get(place);
    next = last;
  }
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
