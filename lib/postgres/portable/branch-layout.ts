import { ImportError } from "./import-error";

export interface Place {
  /** Within this layout, from 0. */
  readonly branch: number;
  readonly pos: number;
}

interface LaidBranch {
  /** `null` for one that begins at the root. */
  readonly parent: number | null;
  readonly base: number;
  head: number;
  sparse: boolean;
}

/** Parents come first: the first child continues its parent's branch, others begin one. Keeps only ids and numbers. */
export class BranchLayout {
  readonly branches: LaidBranch[] = [];
  readonly #places = new Map<string, Place>();
  #messages = 0;

  get size(): number {
    return this.#messages;
  }

  /** @throws {ImportError} for a duplicate id or an unknown parent. */
  add(id: string, parentId: string | null): Place {
    this.#messages++;
    return this.#place(id, parentId);
  }

  /** A position without a message. @throws {ImportError} as `add` does. */
  addGap(id: string, parentId: string | null): Place {
    const place = this.#place(id, parentId);
    const branch = this.branches[place.branch];
    if (branch) branch.sparse = true;
    return place;
  }

  /** @throws {ImportError} for an unknown message; `field` named it. */
  find(id: string, field: string): Place {
    const place = this.#places.get(id);
    if (!place) throw new ImportError(`No earlier message has the id “${id}”.`, field);
    return place;
  }

  /** The number of each leaf among those of a list, counted from 1, by branch; 0 for a leaf that is not listed. */
  ranksOf(leafIds: readonly string[]): number[] {
    const ranks = this.branches.map(() => 0);
    for (const [index, id] of leafIds.entries()) {
      const place = this.#places.get(id);
      if (place) ranks[place.branch] = index + 1;
    }
    return ranks;
  }

  /** `pos`: `null` at the end of its branch. @throws {ImportError} for an unknown message. */
  activePlace(leafId: string | null): { branch: number; pos: number | null } | null {
    if (leafId === null) return null;
    const { branch, pos } = this.find(leafId, "activeLeafId");
    return { branch, pos: this.branches[branch]?.head === pos ? null : pos };
  }

  isOnPath(start: Place, end: Place): boolean {
    let at: Place | null = end;
    while (at && at.branch !== start.branch) {
      const branch: LaidBranch | undefined = this.branches[at.branch];
      at =
        branch && branch.parent !== null
          ? { branch: branch.parent, pos: Math.min(at.pos, branch.base) }
          : null;
    }
    return at !== null && start.pos <= at.pos;
  }

  #place(id: string, parentId: string | null): Place {
    if (this.#places.has(id)) throw new ImportError(`The message id “${id}” occurs twice.`, "id");
    const place = this.#placeUnder(parentId);
    this.#places.set(id, place);
    return place;
  }

  #placeUnder(parentId: string | null): Place {
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
