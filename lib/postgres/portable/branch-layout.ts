import { ImportError } from "./import-error";

export interface BranchPlace {
  readonly branch: number;
  readonly pos: number;
}

interface LaidBranch {
  /** `null` for a branch that begins at the root. */
  readonly parent: number | null;
  readonly base: number;
  head: number;
  sparse: boolean;
}

/** Parents come first: the first child continues its parent's branch, others begin one. */
export class BranchLayout {
  readonly branches: LaidBranch[] = [];
  readonly #places = new Map<string, BranchPlace>();
  #messages = 0;

  get size(): number {
    return this.#messages;
  }

  add(id: string, parentId: string | null): BranchPlace {
    this.#messages++;
    return this.#place(id, parentId);
  }

  addGap(id: string, parentId: string | null): BranchPlace {
    const place = this.#place(id, parentId);
    const branch = this.branches[place.branch];
    if (branch) branch.sparse = true;
    return place;
  }

  find(id: string, field: string): BranchPlace {
    const place = this.#places.get(id);
    if (!place) throw new ImportError(`No earlier message has the id “${id}”.`, field);
    return place;
  }

  /** The number of each leaf among those of a list, counted from 1, by branch; 0 for an unlisted leaf. */
  ranksOf(leafIds: readonly string[]): number[] {
    const ranks = this.branches.map(() => 0);
    for (const [index, id] of leafIds.entries()) {
      const place = this.#places.get(id);
      if (place) ranks[place.branch] = index + 1;
    }
    return ranks;
  }

  /** `pos`: `null` at the end of its branch. */
  activePlace(leafId: string | null): { branch: number; pos: number | null } | null {
    if (leafId === null) return null;
    const { branch, pos } = this.find(leafId, "activeLeafId");
    return { branch, pos: this.branches[branch]?.head === pos ? null : pos };
  }

  isOnPath(start: BranchPlace, end: BranchPlace): boolean {
    let at: BranchPlace | null = end;
    while (at && at.branch !== start.branch) {
      const branch: LaidBranch | undefined = this.branches[at.branch];
      at =
        branch && branch.parent !== null
          ? { branch: branch.parent, pos: Math.min(at.pos, branch.base) }
          : null;
    }
    return at !== null && start.pos <= at.pos;
  }

  #place(id: string, parentId: string | null): BranchPlace {
    if (this.#places.has(id)) throw new ImportError(`The message id “${id}” occurs twice.`, "id");
    const place = this.#placeUnder(parentId);
    this.#places.set(id, place);
    return place;
  }

  #placeUnder(parentId: string | null): BranchPlace {
    const parent = parentId === null ? null : this.find(parentId, "parentId");
    const branch = parent && this.branches[parent.branch];
    if (parent && branch && branch.head === parent.pos) {
      branch.head += 1;
      return { branch: parent.branch, pos: branch.head };
    }
    const base = parent?.pos ?? 0;
    this.branches.push({ parent: parent?.branch ?? null, base, head: base + 1, sparse: false });
    return { branch: this.branches.length - 1, pos: base + 1 };
  }
}
