/**
 * Deliberately naive lists with linear search. They share no code with the library, so that both would have to be wrong
 * in the same way.
 */
export interface ModelMessage {
  readonly id: string;
  readonly parent: string | null;
  text: string;
  pinned: boolean;
  label: string | null;
  deletion: string | null;
  /** The time of its append, or of the last activation of it or of a leaf above it. */
  used: number;
}

export interface ModelSummary {
  readonly id: string;
  readonly text: string;
  readonly from: string;
  readonly to: string;
  removed: boolean;
}

interface ModelDeletion {
  readonly id: string;
  readonly activeBefore: string | null;
  readonly activeAfter: string | null;
}

export class ReferenceModel {
  messages: ModelMessage[] = [];
  summaries: ModelSummary[] = [];
  deletions: ModelDeletion[] = [];
  active: string | null = null;
  clock = 0;

  get alive(): ModelMessage[] {
    return this.messages.filter((message) => message.deletion === null);
  }

  line(id: string | null): ModelMessage[] {
    const message = this.messages.find((each) => each.id === id);
    return message ? [...this.line(message.parent), message] : [];
  }

  parentOf(message: ModelMessage): string | null {
    const above = this.line(message.parent).filter((each) => each.deletion === null);
    return above.at(-1)?.id ?? null;
  }

  childrenOf(id: string | null): ModelMessage[] {
    return this.alive.filter((message) => this.parentOf(message) === id);
  }

  leaves(): ModelMessage[] {
    return this.alive.filter((message) => this.childrenOf(message.id).length === 0);
  }

  leavesUnder(id: string): string[] {
    const below = this.leaves().filter((leaf) => this.line(leaf.id).some((each) => each.id === id));
    return below.map((leaf) => leaf.id);
  }

  append(id: string, parent: string | null, activate: boolean | "follow"): void {
    const follows = this.active === parent;
    const used = ++this.clock;
    this.messages.push({ id, parent, text: id, pinned: false, label: null, deletion: null, used });
    if (activate === true || (activate === "follow" && follows)) this.active = id;
  }

  activate(id: string): void {
    this.active = id;
    if (!this.leaves().some((leaf) => leaf.id === id)) return;
    const below = this.messages.filter((each) => this.line(each.id).some((one) => one.id === id));
    for (const message of below.toSorted((one, other) => one.used - other.used)) {
      message.used = ++this.clock;
    }
  }

  /** A leaf takes over the uses of deleted messages below it. */
  leafUnder(id: string): string | undefined {
    const usedAt = (leaf: string) => {
      const inItsPlace = this.messages.filter((each) => {
        const above = this.line(each.id).filter(({ deletion }) => deletion === null);
        return above.at(-1)?.id === leaf;
      });
      return Math.max(...inItsPlace.map(({ used }) => used));
    };
    return this.leavesUnder(id).toSorted((one, other) => usedAt(other) - usedAt(one))[0];
  }

  aliveLine(id: string | null): ModelMessage[] {
    if (!this.alive.some((message) => message.id === id)) return [];
    return this.line(id).filter((message) => message.deletion === null);
  }

  delete(ids: readonly string[], deletion: string): void {
    const activeBefore = this.active;
    for (const message of this.alive) if (ids.includes(message.id)) message.deletion = deletion;
    if (this.active !== null && !this.alive.some(({ id }) => id === this.active)) {
      this.active = this.leafAfterDeletion(this.line(this.active), deletion);
    }
    this.deletions.push({ id: deletion, activeBefore, activeAfter: this.active });
  }

  /** The leaf last used under the sibling next to the deleted branch, the older one first; without any, the parent. */
  leafAfterDeletion(line: readonly ModelMessage[], deletion: string): string | null {
    const kept = line.findLastIndex(({ deletion }) => deletion === null);
    const parent = line[kept]?.id ?? null;
    const top = line.slice(kept + 1).find((message) => message.deletion === deletion);
    const place = this.messages.findIndex(({ id }) => id === top?.id);
    const siblings = this.messages
      .map(({ id }, index) => ({ id, index }))
      .filter(({ id }) => this.aliveLine(id).at(-1)?.id === id)
      .filter(({ id }) => (this.aliveLine(id).at(-2)?.id ?? null) === parent);
    const nearest =
      siblings.findLast(({ index }) => index < place) ??
      siblings.find(({ index }) => index > place);
    return (nearest && this.leafUnder(nearest.id)) ?? parent;
  }

  undo(deletion: string): void {
    const undone = this.deletions.find(({ id }) => id === deletion);
    for (const message of this.messages) {
      if (message.deletion === deletion) message.deletion = null;
    }
    this.deletions = this.deletions.filter(({ id }) => id !== deletion);
    const returns = this.alive.some(({ id }) => id === undone?.activeBefore);
    if (undone && returns && this.active === undone.activeAfter) this.active = undone.activeBefore;
  }

  shownOn(leaf: string | null): ModelSummary[] {
    const line = this.line(leaf).map(({ id }) => id);
    const alive = new Set(this.alive.map(({ id }) => id));
    const span = ({ from, to }: ModelSummary) =>
      line.slice(line.indexOf(from), line.indexOf(to) + 1);
    const present = this.summaries.filter((summary) => {
      const onPath = line.includes(summary.from) && line.includes(summary.to);
      return !summary.removed && onPath && span(summary).some((id) => alive.has(id));
    });
    return present.filter((summary, age) => {
      return !present.some((other, otherAge) => {
        if (other === summary) return false;
        const [mine, its] = [span(summary), span(other)];
        if (!mine.some((id) => its.includes(id))) return false;
        const coversMine = mine.every((id) => its.includes(id));
        const coveredByMine = its.every((id) => mine.includes(id));
        if (coversMine !== coveredByMine) return coversMine;
        return otherAge > age;
      });
    });
  }

  /** The lines a path shows: `[text]` for a summary. */
  visible(leaf: string | null): string[] {
    if (!this.alive.some(({ id }) => id === leaf)) return [];
    const line = this.line(leaf);
    const place = (id: string) => line.findIndex((message) => message.id === id);
    const said = new Set<ModelSummary>();
    return line.flatMap((message, index) => {
      if (message.deletion !== null) return [];
      const summary = this.shownOn(leaf).find(
        ({ from, to }) => place(from) <= index && index <= place(to),
      );
      if (!summary) return [message.text];
      const opening = said.has(summary) ? [] : [`[${summary.text}]`];
      said.add(summary);
      return message.pinned ? [...opening, message.text] : opening;
    });
  }

  fork(at: string, withSideBranches: boolean): ReferenceModel {
    const line = this.line(at).map(({ id }) => id);
    const taken = this.messages.filter(({ id }) => {
      if (line.includes(id)) return true;
      const above = this.line(id).map((message) => message.id);
      return withSideBranches && line.includes(above[0] ?? "") && !above.includes(at);
    });
    const fork = new ReferenceModel();
    fork.messages = structuredClone(taken);
    fork.summaries = structuredClone(
      this.summaries.filter(({ to }) => taken.some(({ id }) => id === to)),
    );
    fork.clock = this.clock;
    fork.activate(at);
    return fork;
  }
}
